import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeLimits } from '../../../../../webview/components/frame/composer';
import type { SelectBox } from '../../../../../webview/components/controls/select-box';
import type { Drawn, DrawOptions } from '../../draw';
import { drawPart, findButton, textOf, type } from '../../draw';
import { scriptEvaluation } from '../../../../support/panel/scripted-evaluation';
import {
  CONNECTION,
  ENVIRONMENT,
  HOSTED,
  toDocument,
  toLane,
  toMessage,
  toOutcome,
  toReplied,
  toReply,
  toRun,
  toRunState,
} from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const draw = (options: DrawOptions = {}): Promise<Drawn> =>
  drawPart((playground) => html`<pg-composer .playground=${playground}></pg-composer>`, options);
const box = ({ host }: Drawn): HTMLInputElement | null =>
  host.querySelector<HTMLInputElement>('vscode-text-area');
const state = ({ host }: Drawn): string => textOf(host.querySelector('.state'));

describe('the row', () => {
  const evaluation = scriptEvaluation({ state: 'before' });
  const evaluate = { mode: 'chat', repeat: 1, varySeed: false, pass: { case: 1 }, rows: [] } as const;
  const { document: withRows } = toDocument([toLane('a')], {}, { evaluate: { ...evaluate, rows: [] } });
  const row = ({ host }: Drawn): HTMLElement | null => host.querySelector('pg-combo-box');

  it('fills an ordinary run once it is chosen, and no longer when its name is deleted', async () => {
    const drawn = await draw({ evaluation, document: { document: withRows } });
    row(drawn)?.dispatchEvent(new CustomEvent('pg-change', { detail: 'os' }));
    row(drawn)?.dispatchEvent(new CustomEvent('pg-change', { detail: 'oslo' }));
    expect(drawn.sent('evaluation/choose-row')).toEqual([{ rowId: 'r0' }]);
    const chosen = await draw({
      evaluation: { ...evaluation, chosenRowId: 'r1' },
      document: { document: withRows },
    });
    expect(row(chosen)).toMatchObject({ value: 'bergen' });
    row(chosen)?.dispatchEvent(new CustomEvent('pg-change', { detail: '' }));
    expect(chosen.sent('evaluation/choose-row')).toEqual([{}]);
  });

  it('is not there in a playground without rows', async () => {
    expect(row(await draw({ evaluation }))).toBeNull();
  });

  it('is missed for placeholders that nothing fills', async () => {
    const document = { draft: 'Weather in {{city}}?' };
    expect(state(await draw({ evaluation, document }))).toContain(
      '{{city}} is sent as it stands: choose a row to fill it.',
    );
    const chosen = await draw({ evaluation: { ...evaluation, chosenRowId: 'r1' }, document });
    expect(state(chosen)).not.toContain('{{city}}');
    const none = await draw({ document });
    expect(row(none)).toBeNull();
    expect(state(none)).not.toContain('{{city}}');
  });
});

describe('Composer', () => {
  it('shows the draft of the document, and typed text instead', async () => {
    const drawn = await draw({ document: { draft: 'Is it cold?' } });
    expect(box(drawn)?.value).toBe('Is it cold?');
    type(box(drawn), 'Is it warm?');
    await drawn.settle();
    expect(drawn.playground.state.view.draft).toBe('Is it warm?');
    box(drawn)?.dispatchEvent(new Event('focusout', { bubbles: true }));
    expect(drawn.sent('message/draft')).toEqual([{ text: 'Is it warm?' }]);
  });

  it('takes a new box for a text that was not typed, whose undo history would not fit', async () => {
    const drawn = await draw();
    const typedIn = box(drawn);
    typedIn?.focus();
    type(typedIn, 'Hello Oslo');
    await drawn.settle();
    expect(box(drawn)).toBe(typedIn);
    drawn.playground.setView({ draft: '' });
    await drawn.settle();
    expect(box(drawn)).not.toBe(typedIn);
    expect(box(drawn)?.value).toBe('');
    expect(document.activeElement).toBe(box(drawn));
  });

  it('says why Run is disabled, and what the keys do', async () => {
    expect(state(await draw())).toBe('Write a message to run.');
    expect(state(await draw({ document: { draft: 'x' } }))).toBe('Ctrl Enter runs');
    expect(state(await draw({ lanes: { a: {}, b: {} }, document: { draft: 'x' } }))).toBe(
      'Ctrl Enter runs every lane',
    );
    expect(state(await draw({ lanes: { a: { entries: [toMessage('m')], next: 'reply' } } }))).toBe(
      'Ctrl Enter continues in the lane',
    );
    const failed = { a: {}, b: { entries: [toMessage('m')], next: 'reply' as const } };
    expect(state(await draw({ lanes: failed }))).toBe('Ctrl Enter continues in lane 2');
    const replied = { entries: [toMessage('m'), toReplied('r', toReply('Cold.'))] };
    expect(state(await draw({ lanes: { a: replied } }))).toBe(
      'Nothing has changed since the replies: write a message to run.',
    );
    const changed = { ...replied, next: 'again' as const };
    expect(state(await draw({ lanes: { a: changed } }))).toBe('Ctrl Enter asks again');
    expect(state(await draw({ lanes: { a: changed, b: changed } }))).toBe(
      'Ctrl Enter asks again in every lane',
    );
    expect(state(await draw({ lanes: { a: changed, b: replied, c: {} } }))).toBe(
      'Ctrl Enter asks again in lane 1',
    );
    expect(state(await draw({ lanes: { a: { run: toRunState('r') } } }))).toBe('Esc stops');
  });

  it('names the lanes that a run leaves out', async () => {
    const lanes = { a: {}, b: { blocker: 'The connection `office` is not set up.' } };
    expect(state(await draw({ lanes, document: { draft: 'x' } }))).toContain(
      'The connection office is not set up',
    );
  });

  it('names the lanes that run when another one cannot', async () => {
    const fields = new Map([['sampling.temperature a', 'hot']]);
    const lanes = { a: {}, b: {}, c: {} };
    expect(state(await draw({ lanes, document: { draft: 'x' }, view: { fields } }))).toBe(
      'Ctrl Enter runs lanes 2 and 3 · Lane 1: Temperature must be a number.',
    );
  });

  it('names only the lanes that a run starts beside running ones', async () => {
    const entries = [toMessage('m')];
    const waiting = { entries, next: 'reply' as const };
    const lanes = { a: { entries, run: toRunState('r') }, b: waiting, c: waiting };
    expect(state(await draw({ lanes }))).toBe('Ctrl Enter continues in lanes 2 and 3');
    expect(state(await draw({ lanes, document: { draft: 'x' } }))).toBe('Ctrl Enter runs lanes 2 and 3');
  });

  it('offers the target with more than one lane, and remembers it', async () => {
    expect((await draw()).host.querySelector('pg-select-box')).toBeNull();
    const drawn = await draw({ lanes: { a: {}, b: {} } });
    const target = drawn.host.querySelector<SelectBox>('pg-select-box');
    expect(target?.choices.map(({ label }) => label)).toEqual(['All lanes', 'Lane 1 only', 'Lane 2 only']);
    target?.dispatchEvent(new CustomEvent('pg-change', { detail: 'b' }));
    await drawn.settle();
    expect(drawn.playground.state.view.target).toBe('b');
    type(box(drawn), 'x');
    await drawn.settle();
    expect(state(drawn)).toBe('Ctrl Enter runs lane 2');
  });

  it('restores a cleared conversation', async () => {
    const { host, sent, settle } = await draw({ document: { restorable: 'cleared' } });
    findButton(host, 'Undo clear').click();
    await settle();
    expect(sent('conversation/restore')).toEqual([{}]);
  });

  it('is disabled for a read-only document', async () => {
    expect(box(await draw({ document: { readOnly: 'It is read-only.' } }))?.hasAttribute('disabled')).toBe(
      true,
    );
  });

  it('shows the limits of the current lane', async () => {
    const lanes = { a: {}, b: { settings: { connection: 'hosted', model: 'm' } } };
    expect((await draw({ lanes })).text()).toContain('No time limit per attempt');
    expect((await draw({ lanes, view: { laneId: 'b' } })).text()).toContain('1 min per attempt');
  });
});

describe('where requests leave from', () => {
  it('is the machine, unless VS Code passes on those of every lane', async () => {
    const lanes = { a: {}, b: { settings: { connection: 'hosted' } } };
    const place = async (inEditor: readonly string[]): Promise<string> => {
      const connections = [CONNECTION, HOSTED].map((connection) => ({
        ...connection,
        isInEditor: inEditor.includes(connection.id),
      }));
      const { host } = await draw({ lanes, environment: { ...ENVIRONMENT, connections } });
      return textOf(host.querySelector('.where-narrow'));
    };
    expect(await place([])).toBe(`Requests leave from: ${ENVIRONMENT.requestsLeaveFrom}`);
    expect(await place([HOSTED.id])).toContain('Requests leave from:');
    expect(await place([CONNECTION.id, HOSTED.id])).toBe('VS Code sends the requests');
  });
});

describe('the legend of the figures', () => {
  it('says what is bold, where a number is', async () => {
    const legend = ({ host }: Drawn): string => textOf(host.querySelector('.foot'));
    const took = (durationMs: number) => ({
      entries: [toMessage('m'), toRun('r1', toOutcome('r1', toReply('Cold.'), { durationMs }))],
    });
    expect(legend(await draw({ lanes: { a: took(100), b: took(9000) } }))).toContain(
      'Bold: best of the compared lanes',
    );
    expect(legend(await draw({ lanes: { a: took(100), b: took(100) } }))).not.toContain('Bold');
  });
});

describe('describeLimits', () => {
  it('describes them per attempt', () => {
    expect(describeLimits({ connectTimeoutMs: 10_000, maxAttempts: 3 })).toBe(
      'No time limit per attempt · connect within 10 s · up to 3 attempts',
    );
    expect(describeLimits({ timeoutMs: 500, connectTimeoutMs: 1000, maxAttempts: 1 })).toContain(
      'one attempt',
    );
  });
});

describe('a pasted request', () => {
  const CURL = "curl http://127.0.0.1:8080/v1/chat/completions -d '{}'";
  const empty = { document: toDocument([toLane('a')], {}, { messages: [] }).document, draft: '' };
  const paste = (drawn: Drawn, text: string): Event => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => text } });
    box(drawn)?.dispatchEvent(event);
    return event;
  };

  it('is offered to be opened in an empty playground, and typed nowhere', async () => {
    const drawn = await draw({ document: empty });
    expect(paste(drawn, CURL).defaultPrevented).toBe(true);
    await drawn.settle();
    expect(state(drawn)).toContain('The pasted text looks like a request to a model.');
    expect(drawn.playground.state.view.draft ?? '').toBe('');
    findButton(drawn.host, 'Open request').click();
    await drawn.settle();
    expect(drawn.sent('request/open')).toEqual([{ text: CURL }]);
    expect(state(drawn)).not.toContain('looks like a request');
  });

  it('can be pasted as text, also by pasting it again', async () => {
    const drawn = await draw({ document: empty });
    paste(drawn, CURL);
    await drawn.settle();
    findButton(drawn.host, 'Paste as text').click();
    await drawn.settle();
    expect(drawn.playground.state.view.draft).toBe(CURL);
    const again = await draw({ document: empty });
    paste(again, CURL);
    expect(paste(again, CURL).defaultPrevented).toBe(false);
  });

  it('is offered where a message is written, too, and does not replace it as text', async () => {
    const drawn = await draw({ document: { ...empty, draft: 'Why? ' } });
    expect(paste(drawn, CURL).defaultPrevented).toBe(true);
    await drawn.settle();
    findButton(drawn.host, 'Paste as text').click();
    await drawn.settle();
    expect(drawn.playground.state.view.draft).toBe(`Why? ${CURL}`);
    const messages = [{ role: 'user' as const, content: 'Hello?' }];
    const asked = { document: toDocument([toLane('a')], {}, { messages }).document, draft: 'Hello?' };
    expect(paste(await draw({ document: asked }), CURL).defaultPrevented).toBe(true);
  });

  it('is an ordinary text where there is something already, and so is any other text', async () => {
    expect(paste(await draw({ document: empty }), 'What does curl do?').defaultPrevented).toBe(false);
    const used = toDocument([toLane('a')], {}, { messages: [toMessage('hi')] }).document;
    expect(paste(await draw({ document: { document: used } }), CURL).defaultPrevented).toBe(false);
  });
});
