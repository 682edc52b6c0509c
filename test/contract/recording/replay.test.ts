// Sessions of an agent with the demo in every protocol: recorded, written to a file, read back, and made an evaluation that the
// recorded replies themselves pass.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoServer } from '../../../src/demo';
import { startDemoServer } from '../../../src/demo';
import type { Providers, RawAssistant } from '../../../src/library';
import {
  closeConnections,
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  ResponsesApiProvider,
  runAgent,
} from '../../../src/library';
import { readRecordLines, Records, startRecording, toExchangeLine, toHeadLine } from '../../../src/recording';
import { recordedConversations, replaySession } from '../../../src/session';
import type { RecordedExchange } from '../../../src/types';
import { openSession } from '../../support/session/scripted-session';
import { WEATHER } from '../../unit/library/agent/agent-fixtures';

let demo: DemoServer;
beforeAll(async () => {
  demo = await startDemoServer();
});
afterAll(async () => {
  await closeConnections();
  await demo.close();
});

type Protocol = 'local-host' | 'hosted-api' | 'messages-api' | 'responses-api';
const RETRY = { retry: { initialDelayMs: 1, respectRetryAfter: false } };
const MAKE: Record<Protocol, (host: string, model: string) => Providers> = {
  'local-host': (host, model) => new LocalHostProvider({ host, model, ...RETRY }),
  'hosted-api': (host, model) => new HostedApiProvider({ host, model, apiKey: '', auth: 'none', ...RETRY }),
  'messages-api': (host, model) => new MessagesApiProvider({ host, model, apiKey: 'any', ...RETRY }),
  'responses-api': (host, model) => new ResponsesApiProvider({ host, model, apiKey: 'any', ...RETRY }),
};
const isHosted = (protocol: Protocol): boolean => protocol === 'hosted-api' || protocol === 'responses-api';

/** Runs an agent through a recording. @returns the text of the file */
async function recordAgent(protocol: Protocol, model: string, inputs: readonly string[]): Promise<string> {
  const target = isHosted(protocol) ? demo.hostedHost : demo.localHost;
  const records = new Records();
  const lines = [toHeadLine({ target, startedAt: 1, madeBy: 'a test' })];
  const recording = await startRecording({
    target,
    onChange: (passage) => {
      const record = passage.endMs === undefined ? undefined : records.toRecord(passage);
      if (record) lines.push(toExchangeLine(record));
    },
  });
  const provider = MAKE[protocol](recording.address, model);
  for (const input of inputs)
    await runAgent({ provider, tools: [WEATHER], prompt: 'Be brief. {{ }}' }, input);
  await recording.close();
  return lines.join('');
}

const read = (text: string): RecordedExchange[] => readRecordLines(text).recordings[0]?.exchanges ?? [];
const DEMO = { connection: 'demo', model: 'first-look', protocol: 'hosted-api' };

describe.each(Object.keys(MAKE) as Protocol[])(
  'a session that was recorded in the protocol %s',
  (protocol) => {
    it.each([
      ['native-call', 2, 2],
      ['hermes-text', 2, 2],
      ['parallel-calls', 2, 2],
      ['rate-limited', 2, 2],
    ])('of the model %s is %i turns, each passed by the recorded reply', async (model, turns) => {
      const input = 'What is the weather in Oslo and in Bergen?';
      const [conversation, ...others] = recordedConversations(
        read(await recordAgent(protocol, model, [input])),
      );
      expect(others).toEqual([]);
      expect(conversation?.opening).toContain('Oslo');
      const replay = await replaySession(conversation?.exchanges ?? []);
      expect(replay).toMatchObject({ protocol, model, turns });
      const document = JSON.parse(replay.toText([DEMO])) as Document;
      expect(document.system).toBe(String.raw`Be brief. \{{ }}`);
      expect(document.evaluate.rows.map(({ $messages }) => $messages)).toMatchObject(
        [/^1$/, /^1-\d$/].map((each) => expect.stringMatching(each) as string),
      );
      const opened = await openSession({
        text: JSON.stringify(document),
        script: ({ messages }) => replyTo(document, messages.filter(({ role }) => role !== 'system').length),
      });
      await opened.ask('evaluation/start', { isConfirmed: true });
      await opened.session.evaluation.ended();
      const { result, problems } = opened.session.evaluation.snapshot;
      expect(problems).toEqual([]);
      expect(result?.newestFailures).toEqual([]);
      expect(result?.summary).toMatchObject({ planned: turns, passed: turns, gate: 'met' });
      expect(
        result?.departures
          .flat()
          .map(({ text }) => text)
          .join(''),
      ).toContain('keeps to the recorded way');
      expect(opened.asked[0]?.messages[0]?.content).toBe('Be brief. {{ }}');
    });

    it('that is begun again with the same task is two conversations', async () => {
      const input = 'What is the weather in Oslo?';
      const exchanges = read(await recordAgent(protocol, 'native-call', [input, input]));
      const conversations = recordedConversations(exchanges);
      expect(conversations.map((each) => each.exchanges.length)).toEqual([2, 2]);
      const replays = await Promise.all(conversations.map((each) => replaySession(each.exchanges)));
      expect(replays.map(({ turns }) => turns)).toEqual([2, 2]);
    });
  },
);

interface Document {
  system?: string;
  messages: { role: string }[];
  evaluate: {
    rows: {
      $messages: string;
      $expect: { calls: { tool: string; arguments: Record<string, unknown> }[] }[];
    }[];
  };
}

/** What the recorded model did when it was asked so many messages. */
function replyTo({ evaluate: { rows } }: Document, count: number): Partial<RawAssistant> {
  const row = rows.find(({ $messages }) => Number($messages.split('-').at(-1)) === count);
  const calls = row?.$expect[0]?.calls ?? [];
  return {
    content: calls.length > 0 ? '' : 'Cold.',
    toolCalls: calls.map(({ tool, arguments: args }, index) => ({
      id: `call_${index}`,
      name: tool,
      arguments: args,
      source: 'native',
    })),
  };
}
