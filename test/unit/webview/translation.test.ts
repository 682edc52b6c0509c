// With a translation that marks each text, everything the panel shows must be marked, except data and names.
import { config } from '@vscode/l10n';
import { html } from 'lit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireView } from '../../../src/protocol';
import type { Finding } from '../../../src/types';
import { sentence } from '../../../webview/text/sentence';
import { useTranslation } from '../../../webview/text/translation';
import { firstPlace } from '../../../webview/state/evaluate-place';
import { scriptEvaluation } from '../../support/panel/scripted-evaluation';
import { pseudoTranslation, untranslatedIn } from '../../support/texts/pseudo-translation';
import type { DrawOptions } from './draw';
import { drawPart } from './draw';
import type { LaneSample } from './samples';
import {
  ATTEMPT,
  CALL,
  CONNECTION,
  ENVIRONMENT,
  HOSTED,
  rejectionAt,
  rescuedCallAt,
  toDocument,
  toLane,
  TOOL,
  toLiveReply,
  toMessage,
  toOutcome,
  toProgress,
  toReplied,
  toReply,
  toResult,
  toRun,
  toRunState,
} from './samples';
import { registerOnce } from './register-once';

const meta = document.createElement('meta');

beforeAll(async () => {
  await registerOnce();
  meta.name = 'translation';
  meta.content = JSON.stringify(pseudoTranslation());
  document.head.append(meta);
  useTranslation(document);
});
afterAll(() => {
  meta.remove();
  config({ contents: {} });
});

/** Texts of models, servers, the host and the user. */
const DATA = `Is it cold?|Let me look.|e lo|ok.|It is. Quite.|The weather in a city.|city|Oslo|get_weather|
  search_flight|was not offered.|first-look|demo|Demo|Hosted|gone|stop|api.example.com|this computer|
  No connection to Demo|connection refused|1 call|200, ended by the server.|auto|required|none|top_k|options|num_batch`;
/** Names of products, keys, formats and fields. */
const NAMES = `Provider Playground|cURL (bash)|Markdown|JSON|HTTP|Ctrl|Enter|RawAssistant|content|toolCalls|finishReason|
  model|attempts|reasoning|usage|costUsd|hermes-json|unknown-tool|bad-escape`;
/** Names and sentences of the made-up evaluation. */
const EVALUATED = `hermes-text|qwen3:8b|gpt-4o-mini|two-cities|celsius|
  1 of 2 expected calls is missing: get_weather {"city":"Paris"}.|unit is "Celsius"; expected "celsius".|
  a is 9 points better than before.|b is 9 points better than before.|c is 9 points better than before.|
  is 12 points better than hermes-text (20 rows, p = 0.06):|With these rates this gate is green in 17 % of runs.|not decided|decided|Retry-After: 20|
  Exact sign-flip test on the rows that both have, p = 0.06.|Seed 7 is set in 3 lanes, so repeats may not differ.|
  hermes-text: all 10 replies are identical in 2 rows (temperature 0); repeats show nothing there.|
  gpt-4o-mini: 4 replies came from a cache (|cf-aig-cache-status: HIT|) and are no new samples.`;
const known = `${DATA}|${NAMES}|${EVALUATED}`.split(/\|\s*/).toSorted((a, b) => b.length - a.length);

/** The texts that need a translation. */
const unknownIn = (texts: readonly string[]): string[] =>
  texts.filter((text) => /\p{L}{2,}/u.test(known.reduce((rest, name) => rest.replaceAll(name, ''), text)));

const SAID = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'];

/** Texts and labels that are not translated. */
function untranslated(root: Element): string[] {
  const texts: string[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    // Output of programs, and values.
    if (!parentElement?.closest('code, .mono, .is-data')) texts.push(textContent ?? '');
  }
  const names = [...root.querySelectorAll('*')].flatMap((element) =>
    SAID.map((name) => element.getAttribute(name) ?? ''),
  );
  return unknownIn([...untranslatedIn(texts.join('\0')), ...names.flatMap(untranslatedIn)]);
}

async function expectTranslated(options: DrawOptions): Promise<void> {
  const drawn = await drawPart((playground) => html`<pg-app .playground=${playground}></pg-app>`, options);
  await drawn.settle();
  const menus = drawn.host.querySelectorAll<HTMLElement & { groups: () => unknown }>('pg-menu-button');
  const items = [...menus].flatMap(({ groups }) => labelsOf(groups()));
  expect(unknownIn(items.flatMap(untranslatedIn))).toEqual([]);
  expect(drawn.text()).toContain('⟦');
  expect(untranslated(drawn.host)).toEqual([]);
}

/** The labels of the items of a menu, and their headings. */
function labelsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(labelsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'label' || key === 'heading') && typeof inner === 'string' ? [inner] : labelsOf(inner),
  );
}

const RESCUED = rescuedCallAt(0, 4, { repairs: [{ kind: 'bad-escape', at: 1, note: '' }] });
const REPLY = toReply('Let me look.', [CALL, { ...CALL, id: RESCUED.id, source: 'rescued' }], {
  rescue: { calls: [RESCUED], content: 'Let me look.', rejected: [rejectionAt(5, 9)] },
  usage: { promptTokens: 180, completionTokens: 32, cachedTokens: 20, reasoningTokens: 4 },
});
const FINDINGS = (['error', 'warning', 'info'] as const).map((severity) => ({
  severity,
  cause: 'no-call',
  what: 'Let me look.',
})) as Finding[];
const RAN: LaneSample = {
  entries: [
    toMessage('m'),
    toRun('r1', toOutcome('r1', REPLY, { findings: FINDINGS }), {
      results: { 0: toResult('It is. Quite.', { isEdited: true, isError: true }) },
    }),
  ],
};
const lane = (...runs: Parameters<typeof toOutcome>[2][]): LaneSample => ({
  entries: [
    toMessage('m'),
    ...runs.map((change, at) => toRun(`r${at}`, toOutcome(`r${at}`, undefined, change))),
  ],
});
const UNDER_WAY: LaneSample = {
  entries: [toMessage('m'), toRun('r1')],
  run: toRunState('r1'),
  progress: toProgress('r1', { reply: toLiveReply({ content: 'Let me look.', reasoning: 'Let me look.' }) }),
};

describe('the panel, translated', () => {
  it.each(['reply', 'tool-calls', 'rescue', 'attempts'] as const)(
    'with a run, and its inspector at %s',
    async (tab) => {
      await expectTranslated({ lanes: { a: RAN }, view: { tab } });
    },
  );

  it('before the first run, with one lane and with several', async () => {
    await expectTranslated({});
    await expectTranslated({ lanes: { a: {}, b: { settings: { connection: 'hosted' } } } });
  });

  it('without an offered tool', async () => {
    const { host } = await drawPart((playground) => html`<pg-app .playground=${playground}></pg-app>`, {
      document: { tools: [] },
    });
    const tools = host.querySelector('pg-tools-menu');
    expect(tools?.querySelector('.clip')?.textContent).toBe('⟦none⟧');
    expect(tools?.querySelector('button')?.getAttribute('aria-description')).toBe('⟦none⟧');
  });

  it('without a connection, and with one that needs a key', async () => {
    const connections = [CONNECTION, { ...HOSTED, hasKey: false }];
    await expectTranslated({ lanes: { a: { settings: { connection: 'gone' } } } });
    await expectTranslated({
      lanes: { a: { settings: { connection: 'hosted' } } },
      environment: { ...ENVIRONMENT, connections },
    });
    await expectTranslated({ environment: { ...ENVIRONMENT, connections: [] } });
  });

  it('with the settings of a lane, right and wrong ones', async () => {
    const settings = { sampling: { temperature: 0, stop: ['.'] }, limits: { maxSteps: 3, maxTokens: 9 } };
    const fields = new Map([
      ['sampling.temperature a', 'x'],
      ['lane.raw a', '{'],
      ['limits.maxSteps a', 'x'],
    ]);
    await expectTranslated({ lanes: { a: { settings } }, view: { openSettings: ['a'], fields } });
    await expectTranslated({
      lanes: {
        a: { settings: { connection: 'hosted', toolChoice: 'auto', raw: { a: 1 }, rescueToolCalls: false } },
      },
      view: { openSettings: ['a'] },
    });
  });

  it('during runs that are running, waiting or paused', async () => {
    await expectTranslated({ lanes: { a: UNDER_WAY }, now: 5_000 });
    const queued = toRunState('r1', { phase: 'queued', queue: { limit: 2, ahead: 1 } });
    const paused = toRunState('r1', { phase: 'paused', kind: 'agent', step: 1, maxSteps: 4 });
    await expectTranslated({ lanes: { a: { ...RAN, run: queued }, b: { ...RAN, run: paused } }, now: 5_000 });
    const waiting = toProgress('r1', {
      phase: 'waiting-to-retry',
      attempt: 2,
      delayMs: 3_000,
      ledger: [ATTEMPT],
    });
    await expectTranslated({
      lanes: { a: { ...UNDER_WAY, progress: { ...waiting, ledger: [] } } },
      view: { tab: 'attempts' },
      now: 5_000,
    });
  });

  it('after runs that were stopped and interrupted', async () => {
    await expectTranslated({
      lanes: {
        a: lane({ verdict: { kind: 'stopped', detail: '' } }),
        b: lane({ verdict: { kind: 'interrupted', detail: '' } }),
      },
    });
  });

  it('after a run that failed, at its attempts', async () => {
    const error = { code: 'network', title: 'ok.', what: 'ok.', why: 'ok.', next: 'ok.' };
    const ledger = [{ ...ATTEMPT, decision: 'reconnect' as const }, ATTEMPT];
    await expectTranslated({
      lanes: { a: lane({ verdict: { kind: 'failed', detail: '' }, error, ledger }) },
      view: { tab: 'attempts' },
    });
  });

  it('with an agent run that has ended', async () => {
    const ending = {
      stopReason: 'answer',
      steps: 2,
      answered: 2,
      rescued: 1,
      errors: 1,
      durationMs: 900,
      usage: {},
    } as const;
    await expectTranslated({
      lanes: {
        a: {
          entries: [toMessage('m'), toReplied('r1', REPLY, { step: { agentRunId: 'x', number: 1 }, ending })],
        },
      },
    });
  });

  it('with the wire record', async () => {
    const wire: WireView = {
      attempts: [
        {
          name: 'attempt-1',
          method: 'POST',
          url: '',
          requestBytes: 1_900,
          response: {
            status: 429,
            bytes: 84,
            kind: 'html',
            contentType: '',
            isComplete: false,
            omittedBytes: 3,
          },
          files: ['request.http', 'request.json', 'response.raw', 'headers.txt'],
        },
      ],
      copyForms: ['bash', 'openai'],
    };
    await expectTranslated({
      lanes: { a: RAN, b: RAN },
      view: { tab: 'wire' },
      answers: { 'wire/read': wire },
    });
  });

  it('at its tools, with and without one', async () => {
    const mocks = [{ when: { city: 'Oslo' }, error: 'x' }, { ask: true as const }, { call: 2, result: 'x' }];
    await expectTranslated({ view: { view: 'tools' }, document: { tools: [{ ...TOOL, mocks }] } });
    await expectTranslated({ view: { view: 'tools' }, document: { tools: [] } });
  });

  it('at its embeddings, before and after', async () => {
    await expectTranslated({ view: { view: 'embeddings' } });
  });

  it.each(['before', 'running', 'stopped', 'baseline', 'done'] as const)(
    'at an evaluation: %s',
    async (state) => {
      const evaluation = scriptEvaluation({ state });
      await expectTranslated({ view: { view: 'evaluate' }, evaluation });
      const evaluate = { ...firstPlace(), expectation: 0 };
      const { document } = toDocument([toLane('a')], {}, { expect: [{ calls: [{ tool: 'get_weather' }] }] });
      await expectTranslated({ view: { view: 'evaluate' }, evaluation, evaluate, document: { document } });
    },
  );

  it('with a document that is invalid, read-only, contains a secret, or has warnings', async () => {
    await expectTranslated({ document: { error: { line: 3, message: '' } } });
    await expectTranslated({ document: { kind: 'file', secrets: ['a', 'b', 'c', 'd', 'e', 'f'] } });
    await expectTranslated({
      document: {
        warnings: [
          { line: 1, message: '' },
          { line: 2, message: '' },
        ],
      },
    });
  });
});

describe('sentence', () => {
  it('places its parts according to the text', () => {
    expect(sentence('{1} of {0}.', 'a', 'b')).toEqual(['', 'b', ' of ', 'a', '.']);
    expect(sentence('none', 'a')).toEqual(['none']);
  });
});
