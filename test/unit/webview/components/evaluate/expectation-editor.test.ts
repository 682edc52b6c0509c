import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlaygroundDocument } from '../../../../../src/protocol';
import { firstPlace } from '../../../../../webview/state/evaluate-place';
import { scriptEvaluation } from '../../../../support/panel/scripted-evaluation';
import type { Drawn } from '../../draw';
import { drawPart, findButton, textOf, type } from '../../draw';
import { toDocument, toLane } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

type Expectation = PlaygroundDocument['expect'][number];

const EXPECTATION: Expectation = {
  name: 'asks for the right call',
  calls: [{ tool: 'get_weather', arguments: { city: { $loose: 'Oslo' }, unit: 'celsius' } }],
  max: { timeMs: 20_000 },
};

function draw(expectation: Expectation = EXPECTATION): Promise<Drawn> {
  const { document } = toDocument([toLane('a')], {}, { expect: [expectation] });
  return drawPart(
    (playground) => html`<pg-expectation-editor .playground=${playground}></pg-expectation-editor>`,
    {
      evaluation: scriptEvaluation(),
      document: { document },
      evaluate: { ...firstPlace(), expectation: 0 },
    },
  );
}

const field = ({ host }: Drawn, label: string): Element => {
  const found = [...host.querySelectorAll('vscode-text-field')].find((each) => textOf(each) === label);
  if (!found) throw new Error(`no field ${label}`);
  return found;
};
const leave = (box: Element): boolean => box.dispatchEvent(new Event('focusout', { bubbles: true }));
const choose = ({ host }: Drawn, label: string, detail: string): void => {
  const box = [...host.querySelectorAll<HTMLElement & { label: string }>('pg-select-box')].find(
    (each) => each.label === label,
  );
  if (!box) throw new Error(`no choice ${label}`);
  box.dispatchEvent(new CustomEvent('pg-change', { detail }));
};
const edits = (drawn: Drawn): unknown[] =>
  (drawn.sent('document/edit') as { edits: unknown[] }[]).flatMap((sent) => sent.edits);

describe('ExpectationEditor', () => {
  it('edits the document when a field is left, at its place', async () => {
    const drawn = await draw();
    type(field(drawn, 'Name'), 'the city');
    expect(edits(drawn)).toEqual([]);
    leave(field(drawn, 'Name'));
    expect(edits(drawn)).toEqual([{ path: ['expect', 0, 'name'], value: 'the city' }]);
  });

  it('loosens a value, and keeps it', async () => {
    const drawn = await draw();
    choose(drawn, 'Matcher of unit', '$oneOf');
    expect(edits(drawn)).toMatchObject([
      {
        path: ['expect', 0, 'calls'],
        value: [
          { tool: 'get_weather', arguments: { city: { $loose: 'Oslo' }, unit: { $oneOf: ['celsius'] } } },
        ],
      },
    ]);
  });

  it('keeps a text that is no value, with what is wrong under its field, and edits nothing', async () => {
    const drawn = await draw();
    const box = field(drawn, 'Value of unit');
    type(box, 'Celsius');
    leave(box);
    await drawn.settle();
    expect(edits(drawn)).toEqual([]);
    expect(textOf(drawn.host.querySelector('[role=alert]'))).toMatch(/in quotes/);
    type(box, '"Celsius"');
    await drawn.settle();
    expect(drawn.host.querySelector('[role=alert]')).toBeNull();
    leave(box);
    expect(edits(drawn)).toMatchObject([{ value: [{ arguments: { unit: 'Celsius' } }] }]);
  });

  it('adds and removes calls, arguments and limits', async () => {
    const drawn = await draw();
    findButton(drawn.host, 'Add call').click();
    findButton(drawn.host, 'Remove city').click();
    findButton(drawn.host, 'Remove call 1').click();
    findButton(drawn.host, 'Add limit').click();
    findButton(drawn.host, 'Remove time in ms').click();
    expect(edits(drawn)).toEqual([
      { path: ['expect', 0, 'calls'], value: [EXPECTATION.calls?.[0], { tool: 'get_weather' }] },
      { path: ['expect', 0, 'calls'], value: [{ tool: 'get_weather', arguments: { unit: 'celsius' } }] },
      { path: ['expect', 0, 'calls'] },
      { path: ['expect', 0, 'max'], value: { timeMs: 20_000, completionTokens: 1000 } },
      { path: ['expect', 0, 'max'] },
    ]);
  });

  it('sends what is typed when it closes', async () => {
    const drawn = await draw();
    type(field(drawn, 'At most, time in ms'), '5000');
    findButton(drawn.host, 'Done').click();
    expect(edits(drawn)).toEqual([{ path: ['expect', 0, 'max'], value: { timeMs: 5000 } }]);
    expect(drawn.playground.state.evaluate.expectation).toBeUndefined();
  });

  it('shows what the stored samples pass, before and now', async () => {
    const drawn = await draw();
    expect(drawn.text()).toContain('Stored samples, judged again 0 requests');
    expect(drawn.text()).toContain('9 of 10 required');
    expect(drawn.text()).toContain('this gate is green in 17 % of runs');
  });

  it('opens its place in the text, and that of the gate', async () => {
    const drawn = await draw();
    findButton(drawn.host, 'Edit as JSON').click();
    findButton(drawn.host, 'Change what is required').click();
    expect(drawn.sent('document/open-text')).toEqual([
      { path: ['expect', 0] },
      { path: ['evaluate', 'pass'] },
    ]);
  });

  it('leaves to JSON what it cannot show', async () => {
    const drawn = await draw({ calls: [{ tool: 'x', arguments: { $any: true } }] });
    expect(drawn.text()).toContain('One matcher of all arguments: edit it as JSON.');
  });

  it('edits how the reply came out: one word alone, several as a list, none as nothing', async () => {
    const drawn = await draw({ verdict: 'native', never: ['delete_file'], finish: ['stop', 'eos'] });
    const press = (group: string, word: string): void =>
      findButton(drawn.host.querySelector(`[role=group][aria-label="${group}"]`) ?? drawn.host, word).click();
    press('Outcome', 'rescued');
    press('Outcome', 'native');
    press('Never called', 'delete_file');
    type(field(drawn, 'Finish reason'), ' tool-calls ');
    leave(field(drawn, 'Finish reason'));
    expect(edits(drawn)).toEqual([
      { path: ['expect', 0, 'verdict'], value: ['native', 'rescued'] },
      { path: ['expect', 0, 'verdict'] },
      { path: ['expect', 0, 'never'] },
      { path: ['expect', 0, 'finish'], value: 'tool-calls' },
    ]);
    expect(drawn.text()).not.toContain('Agent run');
  });

  it('edits how an agent run ends and how many steps it takes', async () => {
    const drawn = await draw({ steps: { max: 4 }, stop: 'answer' });
    type(field(drawn, 'Steps, at least'), '5');
    leave(field(drawn, 'Steps, at least'));
    await drawn.settle();
    expect(drawn.text()).toContain('The least number is greater than the most.');
    type(field(drawn, 'Steps, at least'), '2');
    leave(field(drawn, 'Steps, at least'));
    type(field(drawn, 'Steps, at most'), '');
    leave(field(drawn, 'Steps, at most'));
    findButton(drawn.host, 'the budget').click();
    expect(edits(drawn)).toEqual([
      { path: ['expect', 0, 'steps'], value: { min: 2, max: 4 } },
      { path: ['expect', 0, 'steps'] },
      { path: ['expect', 0, 'stop'], value: ['answer', 'budget'] },
    ]);
  });
});
