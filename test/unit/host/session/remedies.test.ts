// Remedies of findings about replies of the demo server, which answers differently once they are applied.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { QUESTION, TestHost } from '../../../support/vscode/host-session';

const host = new TestHost();

afterEach(() => host.reset());
afterAll(() => host.close());

describe('a remedy of a finding', () => {
  test.each([
    [
      { connection: 'demo', model: 'hermes-text', rescueToolCalls: false },
      'none',
      { kind: 'rescue-on' },
      'rescued',
    ],
    [
      { connection: 'demo', model: 'native-call', sampling: { numCtx: 32 } },
      'none',
      { kind: 'sampling', key: 'numCtx', value: 4096 },
      'native',
    ],
    [
      { connection: 'demo', model: 'wrong-name' },
      'malformed',
      { kind: 'rename-tool', tool: 'get_weather', to: 'get_wether' },
      'native',
    ],
    [
      { connection: 'demo-hosted', model: 'only-required' },
      'none',
      { kind: 'tool-choice', choice: 'required' },
      'native',
    ],
    [
      { connection: 'demo-hosted', model: 'native-call', sampling: { maxTokens: 5 } },
      'malformed',
      { kind: 'sampling', key: 'maxTokens', value: 1024 },
      'native',
    ],
    [
      { connection: 'demo-messages', model: 'only-required' },
      'none',
      { kind: 'tool-choice', choice: 'required' },
      'native',
    ],
    [
      { connection: 'demo-messages', model: 'native-call', sampling: { maxTokens: 5 } },
      'malformed',
      { kind: 'sampling', key: 'maxTokens', value: 1024 },
      'native',
    ],
    [
      { connection: 'demo-responses', model: 'only-required' },
      'none',
      { kind: 'tool-choice', choice: 'required' },
      'native',
    ],
    [
      {
        connection: 'demo-responses',
        model: 'native-call',
        // The protocol refuses a limit below 16, in which the call alone would fit.
        raw: { reasoning: { effort: 'low' } },
        sampling: { maxTokens: 24 },
      },
      'malformed',
      { kind: 'sampling', key: 'maxTokens', value: 1024 },
      'native',
    ],
  ] as const)(
    'of %j with the verdict %s is %j, after which it is %s',
    async (lane, before, remedy, after) => {
      const one = await host.open({ lane });
      await one.start('chat', QUESTION);
      await one.settled();
      const [run] = one.runs();
      expect(run?.outcome?.verdict.kind).toBe(before);
      const offered = run?.outcome?.findings.flatMap(({ remedies }) => remedies ?? []);
      expect(offered).toContainEqual(remedy);
      await one.ask('remedy/apply', { laneId: 'a', runId: run?.id ?? '', remedy, isSentAgain: true });
      await one.settled();
      expect(one.runs().at(-1)?.outcome?.verdict.kind).toBe(after);
    },
  );
});
