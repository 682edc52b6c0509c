import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunOutcome } from '../../../../../../src/protocol';
import type { Finding } from '../../../../../../src/types';
import type { Drawn, DrawOptions } from '../../../draw';
import { buttonsIn, drawPart, findButton, hiddenIn, nextFrames, textOf } from '../../../draw';
import {
  CONNECTION,
  ENVIRONMENT,
  HIDDEN,
  HOSTILE,
  toMessage,
  toOutcome,
  toReply,
  toRun,
  toRunState,
  TOOL,
} from '../../../samples';
import { registerOnce } from '../../../register-once';

beforeAll(registerOnce);

const RESCUE_OFF: Finding = {
  cause: 'rescue-off',
  severity: 'warning',
  what: 'The text contains 1 tool call, and rescue is off.',
  evidence: [{ place: 'reply, characters 1 to 9', quote: '<tool_call>' }],
  next: 'Switch it on.',
  tab: 'rescue',
  remedies: [{ kind: 'rescue-on' }],
};

const toNone = (findings: Finding[], change: Partial<RunOutcome> = {}): RunOutcome =>
  toOutcome('r1', toReply('x'), { findings, verdict: { kind: 'none', detail: 'rescue is off' }, ...change });

async function draw(
  outcome: RunOutcome,
  options: DrawOptions & { isFollowed?: boolean; isBusy?: boolean } = {},
): Promise<Drawn> {
  const { isFollowed = false, isBusy = false, ...rest } = options;
  const run = toRun('r1', outcome);
  const entries = [toMessage('u'), run, ...(isFollowed ? [toMessage('v'), toRun('r2')] : [])];
  const lanes = {
    a: { entries, settings: { rescueToolCalls: false }, ...(isBusy && { run: toRunState('r2') }) },
  };
  return drawPart(
    (playground) =>
      html`<div class="side">
        <div class="pane" tabindex="0">
          <pg-doctor .playground=${playground} .laneId=${'a'} .run=${run}></pg-doctor>
        </div>
      </div>`,
    { lanes, ...rest },
  );
}

describe('Doctor', () => {
  it('shows the finding, its evidence and its remedies, in this order', async () => {
    const { host } = await draw(toNone([RESCUE_OFF]));
    expect(textOf(host.querySelector('h3'))).toBe('Findings why there is no tool call');
    const text = textOf(host.querySelector('.findings'));
    expect(text).toMatch(
      /^warning: The text contains.* reply, characters 1 to 9 <tool_call> Switch it on\. Show in text Send again with rescue on$/,
    );
    expect(host.querySelector('.evidence')?.getAttribute('aria-label')).toBe('Evidence');
  });

  it('applies a remedy on a click, confirms it, and keeps the focus in the inspector', async () => {
    const { host, sent, playground, settle } = await draw(toNone([RESCUE_OFF]));
    const button = findButton(host, 'Send again with rescue on');
    button.focus();
    button.click();
    await settle();
    await nextFrames();
    expect(sent('remedy/apply')).toEqual([
      { laneId: 'a', runId: 'r1', remedy: { kind: 'rescue-on' }, isSentAgain: true },
    ]);
    expect(playground.state.notice).toBe('Done: Send again with rescue on.');
    expect(playground.state.view.selection).toBeUndefined();
    expect(document.activeElement).toBe(host.querySelector('.pane'));
  });

  it('only changes settings if something followed the reply', async () => {
    const { host, sent, settle } = await draw(toNone([RESCUE_OFF]), { isFollowed: true });
    findButton(host, 'Switch rescue on').click();
    await settle();
    expect(sent('remedy/apply')).toMatchObject([{ isSentAgain: false }]);
  });

  it('has no button for a remedy without effect, and a disabled one while it cannot be applied', async () => {
    const done: Finding = { ...RESCUE_OFF, remedies: [{ kind: 'tool-choice', choice: 'auto' }] };
    const lanes = { a: { entries: [toRun('r1')], settings: { toolChoice: 'auto' as const } } };
    expect(buttonsIn((await draw(toNone([done]), { lanes })).host)).not.toContainEqual(
      expect.stringContaining('tool choice'),
    );
    const busy = await draw(toNone([RESCUE_OFF]), { isFollowed: true, isBusy: true });
    const button = findButton(busy.host, 'Switch rescue on');
    expect(button.hasAttribute('disabled')).toBe(true);
    expect(button.title).toBe('A run is under way in this lane.');
    button.click();
    expect(busy.sent('remedy/apply')).toEqual([]);
    const locked = await draw(toNone([RESCUE_OFF]), { document: { readOnly: 'It is read-only.' } });
    expect(findButton(locked.host, 'Send again with rescue on').title).toBe('It is read-only.');
  });

  it('asks the server about the model on demand, and shows the answer as findings', async () => {
    const serverFinding: Finding = {
      cause: 'model-without-tools',
      severity: 'error',
      what: 'The server says that `m` takes no tools.',
      evidence: [{ place: 'server, capabilities', quote: 'completion' }],
    };
    const { host, sent, text, settle, playground } = await draw(toNone([RESCUE_OFF]), {
      answers: { 'server/model': { findings: [serverFinding] } },
    });
    expect(sent('server/model')).toEqual([]);
    findButton(host, 'Ask the server about the model').click();
    await settle();
    await nextFrames();
    await settle();
    expect(sent('server/model')).toEqual([{ laneId: 'a', runId: 'r1' }]);
    expect(text()).toContain('takes no tools. server, capabilities completion');
    expect(document.activeElement).toBe(host.querySelector('.pane'));
    findButton(host, 'Choose another model').click();
    expect(playground.state.view.openSettings).toEqual(['a']);
  });

  it('offers no question to a server where there is none', async () => {
    const environment = { ...ENVIRONMENT, connections: [{ ...CONNECTION, isInEditor: true }] };
    const { host } = await draw(toNone([RESCUE_OFF]), { environment });
    expect(buttonsIn(host)).not.toContain('Ask the server about the model');
  });

  it('leads to the rendered prompt of the run where its server may show it', async () => {
    const finding: Finding = { cause: 'nothing-arrived', severity: 'error', what: 'Nothing arrived.' };
    const environment = { ...ENVIRONMENT, connections: [{ ...CONNECTION, rendersPrompts: true }] };
    const { host, sent, playground } = await draw(toNone([finding, RESCUE_OFF]), { environment });
    const links = buttonsIn(host).filter((label) => label === 'Show rendered prompt');
    expect(links).toHaveLength(1);
    findButton(host, 'Show rendered prompt').click();
    expect(playground.state.view.tab).toBe('wire');
    await expect.poll(() => sent('prompt/render')).toEqual([{ laneId: 'a', runId: 'r1' }]);
    expect(buttonsIn((await draw(toNone([finding]))).host)).not.toContain('Show rendered prompt');
  });

  it('opens the settings if only they can turn rescue on', async () => {
    const { remedies: _none, ...finding } = RESCUE_OFF;
    const { host, sent } = await draw(toNone([finding]));
    findButton(host, 'Open settings').click();
    expect(sent('settings/open')).toHaveLength(1);
  });

  it('shows the button again if the server could not be asked', async () => {
    const { host, settle } = await draw(toNone([RESCUE_OFF]));
    findButton(host, 'Ask the server about the model').click();
    await settle();
    expect(buttonsIn(host)).toContain('Ask the server about the model');
  });

  it('is empty without findings', async () => {
    expect((await draw(toOutcome('r1', toReply('x')))).text()).toBe('');
  });

  it('shows quotes of a model as text, with hidden characters visible', async () => {
    const evidence = [HOSTILE, HIDDEN].map((quote) => ({ place: 'reply', quote }));
    const remedies = [{ kind: 'offer-tool' as const, tool: HIDDEN }];
    const { host } = await draw(toNone([{ ...RESCUE_OFF, evidence, remedies }]), {
      document: { tools: [{ ...TOOL, name: HIDDEN, isOffered: false }] },
    });
    expect(buttonsIn(host)).toContain('Send again with ab[U+202E]cd[U+200B]ef offered');
    expect(host.querySelector('.evidence img, .evidence b')).toBeNull();
    expect(textOf(host.querySelector('.evidence'))).toContain('<img src=x');
    expect(hiddenIn(host)).toEqual([]);
  });
});
