import { describe, expect, test } from 'vitest';
import { findSecrets, parseDocument } from '../../../../src/session';
import { findRowSecrets } from '../../../../src/session/document/find-secrets';
import { parseRows } from '../../../../src/session/rows/parse-rows';
import { computedMsSince } from '../../../support/computed-ms';
import { newPlayground } from '../../../support/session/new-playground';

const many = (count: number) => 'aB3'.repeat(count).slice(0, count);
const secretsOf = (value: unknown): string[] => {
  const { document, error } = parseDocument(JSON.stringify(value));
  if (!document) throw new Error(error?.message);
  return findSecrets(document);
};

const SHAPES = {
  OpenAI: `sk-${many(24)}`,
  'OpenAI, of a project': `sk-proj-${many(40)}`,
  Anthropic: `sk-ant-api03-${many(40)}`,
  GitHub: `ghp_${many(36)}`,
  'GitHub, fine-grained': `github_pat_${many(60)}`,
  Slack: 'xoxb-123456789012-abcdef',
  Amazon: 'AKIAIOSFODNN7EXAMPLE',
  Google: `AIza${many(35)}`,
  'Hugging Face': `hf_${many(34)}`,
  Groq: `gsk_${many(52)}`,
  'a bearer token': `Authorization: bearer ${many(24)}`,
  'a private key': '-----BEGIN RSA PRIVATE KEY-----\nMIIE',
};

describe('findSecrets', () => {
  test('finds nothing in a new playground', () => {
    expect(findSecrets(newPlayground())).toEqual([]);
  });

  test.each(Object.entries(SHAPES))(
    'finds text in the form of a known API key at any place: %s',
    (_, secret) => {
      const text = `Use "${secret}" here`;
      const sentences = secretsOf({
        system: text,
        messages: [{ role: 'assistant', toolCalls: [{ name: 'a', arguments: { list: [text] } }] }],
        tools: [{ name: 'a', description: text, parameters: { properties: { a: { default: text } } } }],
        lanes: [{ id: 'a', raw: { deep: { value: text } } }],
        later: [text],
      });
      expect(sentences.toSorted()).toEqual([
        'lanes[0].raw.deep.value looks like a secret.',
        'later[0] looks like a secret.',
        'messages[0].toolCalls[0].arguments.list[0] looks like a secret.',
        'system looks like a secret.',
        'tools[0].description looks like a secret.',
        'tools[0].parameters.properties.a.default looks like a secret.',
      ]);
    },
  );

  test('finds values with the name of a secret in what is sent, and only there', () => {
    const named = { api_key: 'x', Authorization: 'y', token: '', password: 5 };
    expect(
      secretsOf({
        lanes: [{ id: 'a', raw: named }],
        tools: [
          { name: 'a', parameters: { properties: named }, mocks: [{ when: named, result: { a: [named] } }] },
        ],
        later: named,
      }),
    ).toEqual([
      'lanes[0].raw.api_key looks like a secret.',
      'lanes[0].raw.Authorization looks like a secret.',
    ]);
  });

  test('does not quote a key of an object that is a secret itself', () => {
    const sentences = secretsOf({ lanes: [{ id: 'a', raw: { [SHAPES.OpenAI]: { b: SHAPES.GitHub } } }] });
    expect(sentences).toEqual([
      'lanes[0].raw has a key that looks like a secret.',
      'lanes[0].raw["…"].b looks like a secret.',
    ]);
  });

  test.each([
    'a task-management-system-for-everyone',
    'sk-short',
    'the sk-learn library',
    'xoxo and hugs',
    'the bearer of this letter',
    'Bearer ${TOKEN_FROM_THE_ENVIRONMENT}',
    '-----BEGIN CERTIFICATE-----',
    'AKIA is a word',
    'max_tokens',
  ])('ignores ordinary words: %s', (system) => {
    expect(secretsOf({ system })).toEqual([]);
  });

  test('searches long, wide and deep documents in linear time', () => {
    const startedAt = process.cpuUsage();
    const hostile = ['sk-', 'sk-a', 'bearer ', '-----BEGIN ', 'AKIA', 'Bearer\t a', 'gh', 'xox'];
    for (const part of hostile) secretsOf({ system: part.repeat(Math.floor(2_000_000 / part.length)) });
    let deep: unknown = SHAPES.OpenAI;
    for (let depth = 0; depth < 190; depth++) deep = { deep };
    const document = newPlayground();
    document['deep'] = deep;
    document['wide'] = Array.from({ length: 500_000 }, () => 'x');
    document['itself'] = document;
    expect(findSecrets(document)).toHaveLength(1);
    expect(computedMsSince(startedAt)).toBeLessThan(10_000);
  });

  test('returns at most 100 places', () => {
    expect(secretsOf({ later: Array.from({ length: 500 }, () => SHAPES.OpenAI) })).toHaveLength(100);
  });
});

describe('findRowSecrets', () => {
  const secret = SHAPES.OpenAI;

  test('names the line and the place, and never the secret', () => {
    const { rows } = parseRows(
      [
        '{"city":"Oslo"}',
        `{"user":{"names":["a","${secret}"]},"b":"${secret}"}`,
        `{"$tags":["${secret}"]}`,
        `{"$expect":[{"text":"${secret}"}]}`,
        `{"${secret}":1}`,
      ].join('\n'),
      'jsonl',
    );
    expect(findRowSecrets(rows).listed).toEqual([
      { line: 2, message: 'user.names[1] looks like a secret.' },
      { line: 3, message: '$tags[0] looks like a secret.' },
      { line: 4, message: '$expect[0].text looks like a secret.' },
      { line: 5, message: 'The row has a key that looks like a secret.' },
    ]);
  });

  test('is not repeated by other problems of the rows', () => {
    const texts = [`${secret},${secret}\n1,2`, `$${secret}\n1`, `$id\n${secret}\n${secret}`];
    for (const text of texts) {
      const { problems } = parseRows(text, 'csv');
      expect(problems).toHaveLength(1);
      expect(JSON.stringify(problems)).not.toContain(secret);
    }
  });
});
