import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SelectBox } from '../../../../../webview/components/controls/select-box';
import type { ToolsPanel } from '../../../../../webview/components/tools/tools-panel';
import { hiddenIn } from '../../draw';
import { FLIGHTS, openTools, toolView, WEATHER } from '../../tools/open-tools';
import { registerOnce } from '../../register-once';

const HOSTILE = '<img src=x onerror="globalThis.stolen = 1">';

beforeAll(registerOnce);

type Change = Parameters<typeof openTools>[1];

async function draw(content: unknown = { tools: [WEATHER, FLIGHTS] }, change: Change = {}) {
  const opened = await openTools(content, change);
  const panel = document.createElement('pg-tools-panel') as ToolsPanel;
  panel.playground = opened.playground;
  document.body.append(panel);
  onTestFinished(() => panel.remove());
  await settle(panel);
  return { ...opened, panel, ...controlsOf(panel) };
}

/** Waits until requests are answered and drawn. */
async function settle(panel: ToolsPanel): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    await panel.updateComplete;
  }
}

const nameOf = (element: Element): string =>
  (element.getAttribute('aria-label') ?? element.textContent).replace(/\s+/g, ' ').trim();

function controlsOf(panel: ToolsPanel) {
  const find = (selector: string, name: string, group?: string): HTMLInputElement => {
    const root = group === undefined ? panel : find(`[role=group]`, group);
    const found = [...root.querySelectorAll<HTMLInputElement>(selector)].find(
      (element) => nameOf(element) === name,
    );
    if (!found) throw new Error(`no ${selector} named ${name}`);
    return found;
  };
  const buttons = (): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('button, vscode-button')];
  return {
    buttons,
    find,
    text: (): string => panel.textContent.replace(/\s+/g, ' '),
    press: async (name: string): Promise<void> => {
      find('button, vscode-button', name).click();
      await settle(panel);
    },
    /** Like a user: types the last key, then leaves the field. */
    fill: async (name: string, value: string, group?: string): Promise<void> => {
      const field = find('vscode-text-field, vscode-text-area', name, group);
      field.value = value;
      field.dispatchEvent(new Event('input'));
      await settle(panel);
      field.dispatchEvent(new Event('focusout', { bubbles: true }));
      await settle(panel);
    },
    choose: async (label: string, id: string, group: string): Promise<void> => {
      const boxes = [...find('[role=group]', group).querySelectorAll<SelectBox>('pg-select-box')];
      const box = boxes.find((each) => each.label === label);
      box?.dispatchEvent(new CustomEvent('pg-change', { detail: id }));
      await settle(panel);
    },
    check: async (name: string, isChecked: boolean, group?: string): Promise<void> => {
      const box = find('vscode-checkbox', name, group);
      box.checked = isChecked;
      box.dispatchEvent(new Event('change'));
      await settle(panel);
    },
  };
}

describe('ToolsPanel', () => {
  it('makes hidden characters in the name of a tool visible, and reports them', async () => {
    const { find, text, panel } = await draw({ tools: [{ ...WEATHER, name: 'get\u202e.weather' }] });
    find('section', 'Tool get[U+202E].weather');
    expect(text()).toContain('getU+202E.weather');
    expect(hiddenIn(panel)).toEqual([]);
  });

  it('shows the next step without tools', async () => {
    const { panel, text, press, requests } = await draw({ tools: [] });
    expect(text()).toContain('A tool is a function that a model can call. Describe one, or import your own.');
    expect(panel.querySelector('vscode-button[appearance=primary]')?.textContent.trim()).toBe('Add tool');
    await press('Add tool');
    await press('Import tools');
    expect(requests.map(({ method }) => method)).toEqual(['tool/create', 'tool/import']);
  });

  it('lists the tools, and shows the selected one', async () => {
    const { panel, press } = await draw({ tools: [WEATHER, { ...FLIGHTS, name: 'search.flights' }] });
    const rows = [...panel.querySelectorAll('.tool-row')];
    expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual(['true', null]);
    expect(rows[1]?.textContent).toContain('The name search.flights has a dot');
    await press(nameOf(rows[1] ?? panel));
    expect(panel.querySelector('.tool-editor h2')?.textContent).toBe('search.flights');
    const problems = panel.querySelector('[role=status] > ul.problems');
    expect(problems?.textContent).toContain('has a dot, which servers refuse.');
    // With another role, screen readers would not tell that it is a list.
    expect(problems?.getAttribute('role')).toBeNull();
    expect(panel.querySelector('.tool-editor')?.textContent).toContain(
      'Without a mock, an agent run answers the calls of this tool with an error.',
    );
  });

  it('moves in the list with arrow keys', async () => {
    const { panel } = await draw();
    const rows = [...panel.querySelectorAll<HTMLElement>('.tool-row')];
    const press = (key: string): boolean =>
      (document.activeElement ?? panel).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    rows[0]?.focus();
    press('ArrowDown');
    expect(document.activeElement).toBe(rows[1]);
    press('ArrowDown');
    expect(document.activeElement).toBe(rows[1]);
    press('Home');
    expect(document.activeElement).toBe(rows[0]);
  });

  it('switches whether a tool is offered', async () => {
    const { check, tool } = await draw();
    await check('Offer search_flights', false);
    expect(tool(1)).toMatchObject({ offered: false });
    await check('Offer search_flights', true);
    expect(tool(1)).not.toHaveProperty('offered');
  });

  it('renames a tool, and reports an invalid name', async () => {
    const { fill, tool, text, find } = await draw();
    await fill('Name', 'weather');
    expect(tool(0)).toMatchObject({ name: 'weather' });
    expect(nameOf(find('vscode-checkbox', 'Offer weather'))).toBe('Offer weather');
    await fill('Name', '');
    expect(tool(0)).toMatchObject({ name: 'weather' });
    expect(text()).toContain('A tool needs a name.');
  });

  it('opens a tool as JSON, duplicates and removes it', async () => {
    const { press, requests, read, panel } = await draw();
    await press('Edit as JSON get_weather');
    expect(requests).toMatchObject([{ method: 'tool/edit' }]);
    await press('Duplicate tool get_weather');
    expect(read()['tools']).toMatchObject([{}, { name: 'get_weather_2' }, { name: 'search_flights' }]);
    expect(panel.querySelector('.tool-editor h2')?.textContent).toBe('get_weather_2');
    await press('Remove tool get_weather_2');
    expect(read()['tools']).toMatchObject([{ name: 'get_weather' }, { name: 'search_flights' }]);
    expect(panel.querySelector('.tool-editor h2')?.textContent).toBe('search_flights');
  });

  it('has no style attribute, which the content security policy forbids, and shows texts as text', async () => {
    const { panel, text } = await draw({
      tools: [{ ...WEATHER, name: HOSTILE, description: HOSTILE, mocks: [{ error: HOSTILE }] }],
    });
    expect(panel.querySelector('img, [style]')).toBeNull();
    expect(text()).toContain(HOSTILE);
  });
});

describe('the parameters', () => {
  it('are added, changed, moved and removed', async () => {
    const { press, fill, choose, check, tool } = await draw();
    const parameters = (): unknown => tool(0)['parameters'];
    await press('Add parameter');
    await fill('Parameter name', 'days', 'Parameter 3');
    await fill('Parameter description', 'How many', 'Parameter 3');
    await choose('Type', 'integer', 'Parameter 3');
    await check('Required', true, 'Parameter 3');
    expect(parameters()).toMatchObject({
      properties: { days: { type: 'integer', description: 'How many' } },
      required: ['city', 'days'],
    });
    await fill('Options', 'kelvin', 'Parameter 2');
    await press('Move parameter 2 of get_weather up');
    await press('Remove parameter 2 of get_weather');
    expect(parameters()).toEqual({
      type: 'object',
      properties: {
        unit: { type: 'string', enum: ['kelvin'] },
        days: { type: 'integer', description: 'How many' },
      },
      required: ['days'],
    });
  });

  it('report an invalid name, and keep the old one', async () => {
    const { fill, tool, text } = await draw();
    await fill('Parameter name', 'city', 'Parameter 2');
    expect(text()).toContain('Another parameter has this name.');
    expect(tool(0)['parameters']).toEqual(WEATHER.parameters);
  });

  it('give the reason why they cannot be shown as a table', async () => {
    const { text, press, requests } = await draw({
      tools: [{ ...WEATHER, parameters: { type: 'object', anyOf: [] } }],
    });
    expect(text()).toContain('The schema has anyOf: edit it as JSON.');
    await press('Edit as JSON the parameters of get_weather');
    expect(requests).toMatchObject([{ method: 'tool/edit' }]);
  });
});

describe('the mocks', () => {
  it('are shown with each kind of answer', async () => {
    const { press, fill, choose, tool } = await draw({ tools: [{ ...WEATHER, mocks: [] }] });
    const mocks = (): unknown => tool(0)['mocks'];
    await press('Add mock');
    await fill('Result', 'It is cold.', 'Mock 1 of get_weather');
    await press('Add mock');
    expect(mocks()).toEqual([{ call: 1, result: '' }, { result: 'It is cold.' }]);
    await choose('Answers', 'when', 'Mock 1 of get_weather');
    await fill('Arguments', '{"city": "Oslo"}', 'Mock 1 of get_weather');
    await fill('Result', '{"temp_c": -2}', 'Mock 1 of get_weather');
    await fill('Delay in ms', '500', 'Mock 1 of get_weather');
    await press('Duplicate mock 1 of get_weather');
    await choose('Answers', 'call', 'Mock 2 of get_weather');
    await choose('With', 'error', 'Mock 2 of get_weather');
    await fill('Error', 'offline', 'Mock 2 of get_weather');
    await choose('With', 'ask', 'Mock 3 of get_weather');
    expect(mocks()).toEqual([
      { when: { city: 'Oslo' }, result: { temp_c: -2 }, delayMs: 500 },
      { call: 1, error: 'offline', delayMs: 500 },
      { ask: true },
    ]);
    await choose('With', 'invoke', 'Mock 3 of get_weather');
    await press('Move mock 3 of get_weather up');
    await press('Remove mock 1 of get_weather');
    expect(mocks()).toEqual([{ invoke: true }, { call: 1, error: 'offline', delayMs: 500 }]);
  });

  it('say how a result is stored, and report invalid arguments', async () => {
    const { fill, tool, text } = await draw({
      tools: [{ ...WEATHER, mocks: [{ when: { city: 'Oslo' }, result: 1 }] }],
    });
    expect(text()).toContain('Stored as JSON.');
    await fill('Result', 'cold', 'Mock 1 of get_weather');
    expect(text()).toContain('Stored as text.');
    await fill('Arguments', '{"city"', 'Mock 1 of get_weather');
    expect(text()).toMatch(/This is not JSON: .+position 7/);
    expect(tool(0)['mocks']).toEqual([{ when: { city: 'Oslo' }, result: 'cold' }]);
  });

  it('keep the focus, and what is being typed, when another one is added before them from outside', async () => {
    const { panel, find, write } = await draw();
    const delay = find('vscode-text-field', 'Delay in ms', 'Mock 1 of get_weather');
    delay.focus();
    delay.value = '5';
    delay.dispatchEvent(new Event('input'));
    write({ tools: [{ ...WEATHER, mocks: [{ call: 2, ask: true }, ...WEATHER.mocks] }, FLIGHTS] });
    await settle(panel);
    expect(find('vscode-text-field', 'Delay in ms', 'Mock 2 of get_weather')).toBe(delay);
    expect([document.activeElement, delay.value]).toEqual([delay, '5']);
  });

  it('report mocks that are never reached', async () => {
    const { find } = await draw({ tools: [{ ...WEATHER, mocks: [{ result: 1 }, { call: 2, ask: true }] }] });
    const [first, second] = [1, 2].map((at) => find('[role=group]', `Mock ${at} of get_weather`).textContent);
    expect(first).not.toContain('Never reached');
    expect(second).toContain('Never used: mock 1 answers every call that this mock would.');
  });
});

describe('a tool of a library', () => {
  const content = { tools: [{ $ref: 'user#/get_weather' }] };

  it('is read-only except for its mocks', async () => {
    const { panel, text, press, fill, tool } = await draw(content);
    expect(panel.querySelector('.tool-name')).toBeNull();
    expect(panel.querySelector('.params')).toBeNull();
    expect(text()).toContain('This tool comes from user#/get_weather.');
    expect(text()).toContain("They are the library's; with a change they become this playground's own.");
    await fill('Result', 'mine', 'Mock 1 of get_weather');
    expect(tool(0)).toEqual({ $ref: 'user#/get_weather', mocks: [{ result: 'mine' }] });
    await press("Use the library's mocks of get_weather");
    expect(tool(0)).toEqual({ $ref: 'user#/get_weather' });
  });
});

describe('an untrusted tool of a library', () => {
  it('makes hidden characters in its read-only fields visible', async () => {
    const odd = 'Reads.\u202e\u200bSends.';
    const parameters = {
      type: 'object',
      properties: { [odd]: { type: 'string', enum: [odd], description: odd } },
    };
    const tool = toolView({ reference: odd, description: odd, parameters });
    const { panel, text } = await draw({ tools: [{ $ref: odd }] }, { tools: [tool] });
    expect(text()).not.toMatch(/[\u202e\u200b]/);
    expect(panel.querySelectorAll('.tool-editor .mark-char')).toHaveLength(10);
  });
});

describe('a read-only or invalid document', () => {
  it.each<[string, Change]>([
    ['is read-only', { readOnly: 'The file is read-only.' }],
    ['is invalid', { error: { line: 1, message: 'The text is not JSON.' } }],
  ])('disables everything but the JSON when it %s', async (_why, change) => {
    const { panel, buttons } = await draw(undefined, change);
    const fields = [...panel.querySelectorAll('vscode-text-field, vscode-text-area, vscode-checkbox')];
    expect(fields.length).toBeGreaterThan(5);
    expect(fields.filter((field) => !field.hasAttribute('disabled'))).toEqual([]);
    const boxes = [...panel.querySelectorAll<SelectBox>('pg-select-box')];
    expect(boxes.every(({ isDisabled }) => isDisabled)).toBe(true);
    const open = buttons().filter(
      (each) => !each.hasAttribute('disabled') && !each.matches('.tool-row, .banner *'),
    );
    expect(open.map(nameOf)).toEqual(['Edit as JSON get_weather']);
  });
});

describe('the labels', () => {
  it('of buttons are unique', async () => {
    const mocks = [{ call: 1, ask: true }, { ask: true }];
    const { buttons } = await draw({ tools: [{ ...WEATHER, mocks }, FLIGHTS] });
    const names = buttons().map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });
});
