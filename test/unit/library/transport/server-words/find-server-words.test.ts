import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  findServerWords,
  mayPass,
  SERVER_WORDS,
} from '../../../../../src/library/transport/server-words/find-server-words';
import { leastComputedMs } from '../../../../support/computed-ms';

interface Said {
  id: string;
  said: string;
  status?: number;
  parts: Record<string, string>;
}

const FIXTURES = JSON.parse(
  readFileSync(new URL('../../../../fixtures/server-words.json', import.meta.url), 'utf8'),
) as Said[];

describe('SERVER_WORDS', () => {
  test('has entries with ids of their own, each with a fixture and a public source', () => {
    const ids = SERVER_WORDS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !FIXTURES.some((fixture) => fixture.id === id))).toEqual([]);
    expect(SERVER_WORDS.filter(({ source }) => !/^https:\/\/[\w.-]+\/\S+$/.test(source))).toEqual([]);
  });

  test('has patterns that ignore case and keep no state', () => {
    expect(SERVER_WORDS.filter(({ pattern }) => !/^is?m?$/.test(pattern.flags)).map(({ id }) => id)).toEqual(
      [],
    );
  });
});

describe('findServerWords', () => {
  test.each(FIXTURES)('knows the words of $id: $said', ({ id, said, status, parts }) => {
    const found = findServerWords(said, status);
    expect({ id: found?.id, parts: found?.parts }).toEqual({ id, parts });
    // The words may stand in the message of a gateway, unless they are recognised by being alone.
    const source = SERVER_WORDS.find((entry) => entry.id === id)?.pattern.source ?? '';
    if (!source.startsWith('^') && !said.includes('\n['))
      expect(findServerWords(`Provider returned error: ${said}`, status)?.cause).toBe(found?.cause);
  });

  test.each<[string, number | undefined]>([
    ['server busy, please try again.  maximum pending requests exceeded', 503],
    ['Loading model', 503],
    ['the model runner has stopped unexpectedly', 500],
    ['llama runner process has terminated: exit status 2', 500],
    ['unexpected EOF', 500],
    ['CUDA out of memory. Tried to allocate 2.00 GiB', 500],
    ['failed to load model: cannot parse the file', 500],
    ['Failed to parse the request body as JSON: messages[0].role: missing field', 400],
    ["invalid character '}' looking for beginning of object key string", 400],
    ['json: cannot unmarshal string into Go struct field ChatRequest.messages of type []api.Message', 400],
    ['EOF while parsing a value at line 1 column 0', 400],
    ['request size exceeds upload limit', 413],
    ['image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes', 400],
    ['Invalid API Key', 401],
    ['The engine is currently overloaded, please try again later', 503],
    ['model requires more system memory (9.1 GiB) than is available (7.7 GiB)', 500],
    ['Model supports at most 1 image per prompt.', 400],
    ["Let's look at the context of this problem", 500],
    ['temperature must be less than or equal to 2', 400],
    ['', 500],
  ])('does not know “%s” with %s', (said, status) => {
    expect(findServerWords(said, status)).toBeUndefined();
  });

  test('takes a limit of rates or of the reply for no overflow', () => {
    const said = [
      'Request too large for model `m` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.',
      'Rate limit reached: too many tokens per minute for this org',
      'You have exceeded the rate limit of your context window plan',
    ];
    expect(said.map((one) => findServerWords(one, 429)?.cause)).toEqual(said.map(() => 'rate-limit'));
    expect(mayPass({ cause: 'rate-limit' })).toBe(true);
  });

  test('takes the limit of a day for a quota, unless the service says when to try again', () => {
    const said = [
      'Number of request tokens has exceeded your daily rate limit (https://docs.anthropic.com/en/api/rate-limits)',
      'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
      'Rate limit exceeded: free-models-per-day-high-balance.',
      'Rate limit reached for gpt-4o on requests per day (RPD): Limit 200, Used 200',
    ];
    expect(said.map((one) => findServerWords(one, 429)?.cause)).toEqual(said.map(() => 'quota'));
    const sliding =
      'Rate limit reached for model `m` on tokens per day (TPD): Limit 100000, Used 99990, Requested 400. Please try again in 5m37s.';
    expect(findServerWords(sliding, 429)?.cause).toBe('rate-limit');
  });

  test('asks once for every other cause', () => {
    const causes = new Set(SERVER_WORDS.map(({ cause }) => cause));
    expect([...causes].filter((cause) => mayPass({ cause }))).toEqual(['rate-limit']);
  });

  test('takes no number of three or more for one of the two', () => {
    expect(findServerWords('context overflow: 9000 of 100, 200 and 300')?.parts).toEqual({});
  });

  test('reads a long text in linear time', () => {
    const repeats = [
      'a',
      "error parsing tool call: raw='",
      'Failed to parse tool call ',
      'maximum context length is 1 tokens ',
      'Prompt is too ',
      'Invalid diff: ',
      'context ',
      'Tool call id ',
      '1,',
      'max_tokens ',
    ];
    for (const repeat of repeats) {
      const text = repeat.repeat(200_000 / repeat.length);
      expect(
        leastComputedMs(() => void findServerWords(text, 500)),
        repeat,
      ).toBeLessThan(2_000);
    }
  });
});
