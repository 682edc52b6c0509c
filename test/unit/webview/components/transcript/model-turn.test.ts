import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentEnding, LaneEntry, RunEntry } from '../../../../../src/protocol';
import type { Drawn, DrawOptions } from '../../draw';
import { buttonsIn, drawPart, findButton, textOf } from '../../draw';
import {
  ATTEMPT,
  CALL,
  CONNECTION,
  ENVIRONMENT,
  HOSTILE,
  rejectionAt,
  toMessage,
  toOutcome,
  toReplied,
  toReply,
  toRun,
} from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const draw = (entries: LaneEntry[], options: DrawOptions = {}, settings = {}): Promise<Drawn> =>
  drawPart(
    (playground) =>
      html`<section class="lane" data-lane="a">
        <pg-transcript .playground=${playground} .laneId=${'a'}></pg-transcript>
      </section>`,
    { lanes: { a: { entries: [toMessage('m'), ...entries], settings } }, ...options },
  );
const ENDING: AgentEnding = {
  stopReason: 'answer',
  steps: 2,
  answered: 3,
  errors: 1,
  rescued: 0,
  usage: { promptTokens: 10, completionTokens: 2 },
  durationMs: 910,
};
const step = (number: number): Partial<RunEntry> => ({ step: { agentRunId: 'g', number } });

describe('the reasoning that a server wants back', () => {
  const said = async (replay: object): Promise<string> => {
    const reply = toReply('', [CALL]);
    Object.assign(reply.raw, { replay: { provider: 'x', data: {}, ...replay } });
    const { host } = await draw([toReplied('r1', reply)]);
    return textOf(host);
  };
  it('is said to go back with the calls, unless a secret in it is masked', async () => {
    expect(await said({})).toContain(
      'Reasoning: goes back unchanged with these calls, only to the same connection and model',
    );
    expect(await said({ isWithheld: true })).not.toContain('sent back');
  });
});

describe('a reply of an agent run', () => {
  it('is named with its step, and a single one without', async () => {
    const reply = toReply('x');
    const steps = [1, 2].map((number) => ({ ...toReplied(`s${number}`, reply), ...step(number) }));
    const { host } = await draw([toReplied('r1', reply), ...steps]);
    const names = [...host.querySelectorAll('button.who')].map(textOf);
    expect(names.slice(-3)).toEqual(['model', 'model step 1', 'model step 2']);
  });
});

describe('a rejected candidate for a call', () => {
  const rejected = [rejectionAt(0, 5), rejectionAt(9, 20, { name: '<b>', nearest: ['search_flights'] })];
  const run = toReplied('r1', toReply('x', [], { rescue: { calls: [], content: 'x', rejected } }));

  it('shows its place in the text when it is selected', async () => {
    const { host, text, playground } = await draw([run]);
    expect(text()).toContain('<b>left as text');
    expect(text()).toContain('Nearest: search_flights.');
    host.querySelectorAll<HTMLElement>('.is-rejected .head')[1]?.click();
    expect(playground.state.view).toMatchObject({
      tab: 'rescue',
      selection: { laneId: 'a', runId: 'r1', spanNumber: 2 },
    });
  });

  it('is highlighted while it is selected', async () => {
    const selection = { laneId: 'a', runId: 'r1', spanNumber: 1 };
    const { host } = await draw([run], { view: { selection } });
    const marks = [...host.querySelectorAll('.is-rejected')].map((card) => card.getAttribute('aria-current'));
    expect(marks).toEqual(['true', null]);
  });
});

describe('a run that failed', () => {
  const failed = (status: number, isKeyWanted?: true) =>
    toRun(
      'r1',
      toOutcome('r1', undefined, {
        connectionId: 'hosted',
        ledger: [{ ...ATTEMPT, status }],
        error: {
          code: 'http',
          isKeyWanted,
          title: 'T',
          what: `\`POST\` was refused. ${'The server said. '.repeat(50)}`,
          why: 'Why.',
          next: 'Next.',
        },
      }),
    );
  const HOSTED_LANE = { connection: 'hosted', model: 'm' };

  it('shows what happened, why, and the next step; a long explanation is clamped to three lines', async () => {
    const { host, settle } = await draw([failed(500)], {}, HOSTED_LANE);
    const alert = host.querySelector('.alert[role=alert]');
    expect([...(alert?.querySelectorAll('dt') ?? [])].map(textOf)).toEqual(['what', 'why', 'next']);
    expect(alert?.querySelectorAll('.clamp')).toHaveLength(1);
    findButton(host, 'Show all').click();
    await settle();
    expect(host.querySelector('.clamp')).toBeNull();
    expect(buttonsIn(host)).toEqual(expect.arrayContaining(['Run again', 'Show log', 'Show less']));
  });

  it('is announced only while it is the last turn', async () => {
    const { host } = await draw([failed(500), toMessage('u2'), toReplied('r2', toReply('Cold.'))]);
    expect(host.querySelector('.alert')).not.toBeNull();
    expect(host.querySelector('[role=alert]')).toBeNull();
  });

  it('offers the remedies of a finding', async () => {
    const remedy = { kind: 'sampling', key: 'numCtx', value: 8192 } as const;
    const findings = [{ severity: 'error' as const, what: 'Too long.', remedies: [remedy] }];
    const { host, sent, settle } = await draw([toRun('r1', toOutcome('r1', undefined, { findings }))]);
    findButton(host, 'Send again with context size 8192').click();
    await settle();
    expect(sent('remedy/apply')).toEqual([{ laneId: 'a', runId: 'r1', remedy, isSentAgain: true }]);
  });

  it('offers to set another key where that may help', async () => {
    const { host, sent, settle } = await draw([failed(401, true)], {}, HOSTED_LANE);
    findButton(host, 'Set API key').click();
    await settle();
    expect(sent('connection/set-key')).toEqual([{ connectionId: 'hosted' }]);
  });

  it('offers no key for other errors, older runs, and other connections', async () => {
    const drawn = await Promise.all([
      draw([failed(500)], {}, HOSTED_LANE),
      draw([failed(401, true), toMessage('m2')], {}, HOSTED_LANE),
      draw([failed(401, true)]),
    ]);
    for (const { host } of drawn) expect(buttonsIn(host)).not.toContain('Set API key');
  });
});

describe('a run that failed to reach a usable answer', () => {
  const failed = (code: string, status?: number) =>
    toRun(
      'r1',
      toOutcome('r1', undefined, {
        connectionId: 'hosted',
        model: 'm',
        ledger: [{ ...ATTEMPT, status }],
        error: { code, title: 'T', what: 'What.', why: 'Why.', next: 'Next.' },
      }),
    );
  const HOSTED_LANE = { connection: 'hosted', model: 'm' };

  it.each([
    ['network', undefined],
    ['timeout', undefined],
    ['response-format', 200],
    ['http', 404],
  ])('offers a diagnosis of its connection and model: %s %s', async (code, status) => {
    const { host, sent, settle } = await draw([failed(code, status)], {}, HOSTED_LANE);
    findButton(host, 'Diagnose connection').click();
    await settle();
    expect(sent('connection/diagnose')).toEqual([{ connectionId: 'hosted', model: 'm' }]);
  });

  it('offers no diagnosis if the server gave the reason, nor for an older run', async () => {
    const drawn = await Promise.all([
      draw([failed('http', 500)], {}, HOSTED_LANE),
      draw([failed('connection-key')], {}, HOSTED_LANE),
      draw([failed('network'), toMessage('m2')], {}, HOSTED_LANE),
    ]);
    for (const { host } of drawn) expect(buttonsIn(host)).not.toContain('Diagnose connection');
  });
});

describe('a reply that was never complete', () => {
  const partial = {
    content: HOSTILE,
    reasoning: 'Hm.',
    toolCalls: [{ name: 'get_weather', arguments: '{"city":"Os' }],
    omitted: { content: 0, reasoning: 0, toolCalls: 0 },
  };

  it.each([
    ['stopped', 'aborted', 'Stopped.'],
    ['interrupted', 'interrupted', 'Interrupted: the panel or its window was closed.'],
    ['interrupted', 'elsewhere', 'No end recorded yet: the run may still be under way in another window.'],
    ['failed', 'network', 'No connection to Demo'],
  ] as const)('stays visible after it was %s (%s), with partial calls', async (kind, code, words) => {
    const error = { code, title: 'No connection to Demo', what: 'What.', why: 'Why.', next: 'Next.' };
    const outcome = toOutcome('r1', undefined, { verdict: { kind, detail: '' }, partial, error });
    const { host, text } = await draw([toRun('r1', outcome)]);
    expect(text()).toContain(words);
    expect(text()).toContain('Reasoning, 3 characters');
    expect(text()).toContain('get_weather {"city":"Os');
    expect(text()).toContain(HOSTILE);
    expect(host.querySelector('img')).toBeNull();
    expect(host.querySelectorAll('[role=alert]')).toHaveLength(kind === 'failed' ? 1 : 0);
  });
});

describe('the end of an agent run', () => {
  it('shows the reason, steps, tokens, cost and answers; an unknown cost is never 0', async () => {
    const last = toReplied('g/2', toReply('Cold.'), { ...step(2), ending: ENDING });
    const end = async (entry: RunEntry): Promise<string> =>
      textOf((await draw([entry])).host.querySelector('.run-end'));
    expect(await end(last)).toContain(
      'Answer · after 3 calls 2 steps · 12 tok · no cost · 0.91 s · 3 calls answered · 1 of them with an error',
    );
    expect(await end({ ...last, ending: { ...ENDING, costUsd: 0.0012 } })).toContain('$0.0012');
    const interrupted = { ...ENDING, stopReason: 'interrupted' as const, usage: {}, durationMs: 0 };
    expect(await end({ ...last, ending: interrupted })).not.toMatch(/not reported|0 ms|cost/);
  });

  it('says that VS Code tells no cost of its models', async () => {
    const last = toReplied('g/2', toReply('Cold.'), { ...step(2), ending: ENDING });
    const environment = { ...ENVIRONMENT, connections: [{ ...CONNECTION, usesQuota: true }] };
    const { host } = await draw([last], { environment });
    expect(textOf(host.querySelector('.run-end'))).toContain('12 tok · no cost told · 0.91 s');
  });

  it('names the limit, and offers to continue', async () => {
    const detail = 'It used 30 tokens of at most 20.';
    const ending = { ...ENDING, stopReason: 'budget' as const, detail };
    const { text, host, sent, settle } = await draw([
      toReplied('g/1', toReply('', [CALL]), { ...step(1), ending }),
    ]);
    expect(text()).toContain('Budget reached · after 2 steps');
    expect(text()).toContain(detail);
    findButton(host, 'Run agent').click();
    await settle();
    expect(sent('run/start')).toEqual([{ laneIds: ['a'], kind: 'agent', isRepeat: true }]);
  });

  it('offers an agent run below open calls, with the limit of the lane, but not below an answer', async () => {
    const open = await draw([toReplied('r1', toReply('', [CALL]))], {}, { limits: { maxSteps: 3 } });
    expect(open.text()).toContain(
      'Answers the call with mocks and asks again, until the model gives a final answer; at most 3 steps.',
    );
    const answered = await draw([toReplied('r1', toReply('Cold.'))]);
    expect(answered.host.querySelector('.run-end')).toBeNull();
  });
});

describe('texts of which the panel has only a part', () => {
  it('are requested on demand', async () => {
    const outcome = toOutcome('r1', toReply('Col'), { cut: [{ path: 'reply.raw.content', length: 30_000 }] });
    const { host, settle, sent } = await draw([toRun('r1', outcome)], {
      answers: { 'text/read': { text: 'Cold.' } },
    });
    findButton(host, 'Show all').click();
    await settle();
    expect(sent('text/read')).toEqual([{ laneId: 'a', entryId: 'r1', path: 'reply.raw.content' }]);
    expect(host.textContent).toContain('Cold.');
  });
});

describe('the reasoning of a reply', () => {
  it('is shown completely on demand, with its whole length, if the panel has only its beginning', async () => {
    const reply = toReply('Cold.');
    reply.raw.reasoning = 'I think.';
    const cut = [{ path: 'reply.raw.reasoning', length: 30_000 }];
    const answers = { 'text/read': { text: 'I think. The end.' } };
    const { host, settle } = await draw([toRun('r1', toOutcome('r1', reply, { cut }))], { answers });
    expect(textOf(host.querySelector('summary'))).toBe('Reasoning, 30 000 characters');
    findButton(host, 'Show all').click();
    await settle();
    expect(textOf(host.querySelector('.fold p'))).toBe('I think. The end.');
  });
});
