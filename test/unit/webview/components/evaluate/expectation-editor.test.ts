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
    expect(drawn.text()).toContain('More can be expected in JSON: never, finish, verdict, steps, stop.');
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
    const drawn = await draw({ calls: [{ tool: 'x', arguments: { $any: true } }], finish: 'stop' });
    expect(drawn.text()).toContain('One matcher of all arguments: edit it as JSON.');
    expect(drawn.text()).toContain('It also has finish: edit these as JSON.');
  });
});
