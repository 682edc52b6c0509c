import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { RpcClient } from '../../../../src/protocol';
import { renderRunEnd } from '../../../../webview/components/run-end';
import { renderSteps } from '../../../../webview/components/steps-section';
import { Playground } from '../../../../webview/playground';
import type { Entry, RunEntry } from '../../../../webview/state';
import { CALL, readyState, toAgentOutcome, toOutcome, toRun, toTurn } from '../samples';

const user: Entry = { kind: 'user', id: 'u1', content: 'Weather?' };

function draw(content: (playground: Playground) => unknown, entries: Entry[], pendingRunId?: string): string {
  const client = new RpcClient(() => undefined);
  const playground = new Playground({ client, loadState: () => undefined, saveState: () => undefined });
  playground.set(readyState({ entries, pendingRunId }));
  const root = document.createElement('div');
  render(content(playground), root);
  const names = [...root.querySelectorAll('[aria-label]')].map((element) =>
    element.getAttribute('aria-label'),
  );
  return `${root.textContent.replace(/\s+/g, ' ').trim()} ${names.join()}`.trim();
}

const drawEnd = (entry: RunEntry, pendingRunId?: string): string =>
  draw((playground) => renderRunEnd(playground, entry), [user, entry], pendingRunId);

const { ending } = toAgentOutcome('a');
const step = { agentRunId: 'a', number: 1 };

describe('renderRunEnd', () => {
  it('offers to run to the end below a reply with open calls, with the limit', () => {
    const text = drawEnd(toRun('r1', toOutcome('r1', toTurn('', [CALL]))));
    expect(text).toContain('Run to the end');
    expect(text).toContain('Run to the end with mocks');
    expect(text).toContain('Answers the call with mocks');
    expect(text).toContain('at most 10 steps');
  });

  it('offers nothing below an answer, or while a run is under way', () => {
    expect(drawEnd(toRun('r1', toOutcome('r1', toTurn('Cold.', []))))).toBe('');
    expect(drawEnd(toRun('r1', toOutcome('r1', toTurn('', [CALL]))), 'r1')).toBe('');
  });

  it('says how it came out: reason, steps, tokens, cost and mocks; no cost is never 0', () => {
    const ended = {
      ...ending,
      steps: 2,
      answered: 3,
      unmatched: 1,
      usage: { promptTokens: 10, completionTokens: 2 },
    };
    const entry = { ...toRun('a/2', toOutcome('a/2', toTurn('Cold.', []))), step, ending: ended };
    expect(drawEnd(entry)).toContain(
      'Answer after 2 steps 12 tok · cost not set · 0.91 s · 2 calls answered by mocks · 1 call answered with an error',
    );
    expect(drawEnd({ ...entry, ending: { ...ended, costUsd: 0.0012 } })).toContain('$0.0012');
  });

  it('says which limit it was, and offers to go on', () => {
    const detail = 'It used 30 tokens of at most 20.';
    const entry = toRun('a/1', toOutcome('a/1', toTurn('', [CALL])));
    const text = drawEnd({ ...entry, step, ending: { ...ending, stopReason: 'budget', detail } });
    expect(text).toContain('Budget reached after 1 step');
    expect(text).toContain(detail);
    expect(text).toContain('Run to the end');
  });

  it('offers to go on after a step that failed, but not after a run that stood alone', () => {
    const failed = toRun('a/1', toOutcome('a/1', undefined));
    expect(drawEnd({ ...failed, step })).toContain('Run to the end');
    expect(drawEnd(failed)).toBe('');
  });
});

describe('renderSteps', () => {
  it('lists what came in each step, and is nothing for a run that stood alone', () => {
    const first = { ...toRun('a/1', toOutcome('a/1', toTurn('', [CALL]))), step };
    const last = { ...toRun('a/2'), step: { ...step, number: 2 } };
    const text = draw((playground) => renderSteps(playground, last), [user, first, last]);
    expect(text).toContain('native, 1 call · get_weather');
    expect(text).toContain('under way');
    expect(text).toContain('Show step 1');
    expect(draw((playground) => renderSteps(playground, toRun('r1')), [user, toRun('r1')])).toBe('');
  });
});
