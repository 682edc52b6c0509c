// The format lab as a user sees it, with the results of the real library.
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { formatToolCalls } from '../../../../src/library';
import type { SelectBox } from '../../../../webview/components/controls/select-box';
import { LabApp } from '../../../../webview/lab/lab-app';
import { buttonsIn, findButton, hiddenIn, textOf } from '../draw';
import type { LabAnswers, OpenedLab } from './open-lab';
import { openLab } from './open-lab';
import { registerOnce } from '../register-once';

beforeAll(registerOnce);

const CALL = { name: 'get_weather', arguments: { city: 'Oslo' } };
const TOOL = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'number' } } },
};

interface DrawnLab extends OpenedLab {
  host: LabApp;
  /** Types into the box, and waits until the result is drawn. */
  type: (text: string) => Promise<void>;
  section: (name: string) => string;
  choose: (label: string, id: string) => Promise<void>;
}

async function draw(answers: LabAnswers = {}): Promise<DrawnLab> {
  const opened = await openLab(answers);
  const host = new LabApp();
  host.lab = opened.lab;
  document.body.append(host);
  onTestFinished(() => host.remove());
  const settle = async (): Promise<void> => {
    await opened.settle();
    await host.updateComplete;
  };
  await settle();
  return {
    ...opened,
    settle,
    host,
    type: async (text) => {
      const box = host.querySelector('textarea');
      if (!box) throw new Error('no box');
      box.value = text;
      box.dispatchEvent(new Event('input', { bubbles: true }));
      await settle();
    },
    section: (name) => {
      const heading = [...host.querySelectorAll('h2')].find((one) => textOf(one) === name);
      return textOf(heading?.closest('section'));
    },
    choose: async (label, id) => {
      const box = [...host.querySelectorAll<SelectBox>('pg-select-box')].find((one) => one.label === label);
      box?.dispatchEvent(new CustomEvent('pg-change', { detail: id }));
      await settle();
    },
  };
}

describe('LabApp', () => {
  it('explains itself without a text, and offers an example', async () => {
    const { host, settle, section } = await draw();
    expect(textOf(host)).toContain('No model and no connection is needed');
    findButton(host, 'Show an example').click();
    await settle();
    expect(textOf(host.querySelector('.outcome'))).toMatch(/^Rescued · 1 call, hermes-json 2 left as text/);
    // Some themes make second text too pale for a tinted row.
    expect(host.querySelector('.outcome .muted')).toBeNull();
    expect(section('Spans')).toContain('Left as text: example');
    expect(section('Spans')).toContain('Closed reasoning');
  });

  it('shows the calls, their problems, and what was rejected', async () => {
    const { type, section, host, lab } = await draw();
    lab.change({ tools: [TOOL] });
    await type(`Sure.\n${formatToolCalls([CALL, { ...CALL, name: 'get_wether' }], 'hermes-json')}`);
    expect(section('Spans')).toMatch(/1 Rescued: get_weather, hermes-json by its marker/);
    expect(section('Spans')).toMatch(
      /2 Left as text: unknown-tool, hermes-json .*get_wether.* was not offered/,
    );
    expect(section('What a program would get')).toContain('get_weatherhermes-json { "city": "Oslo" }');
    expect(section('What a program would get')).toMatch(/\/city .*number/);
    expect(textOf(host.querySelector('[role=status]'))).toBe('Rescued: 1 call, hermes-json.');
  });

  it('says that a copied call is not complete', async () => {
    const { type, section } = await draw();
    const call = (length: number) => ({ name: 'add', arguments: { all: Array.from({ length }, () => 1) } });
    await type(formatToolCalls([call(1_000)], 'hermes-json'));
    expect(section('What a program would get')).not.toContain('only the beginning');
    await type(formatToolCalls([call(1_001)], 'hermes-json'));
    expect(section('What a program would get')).toContain('only the beginning is shown and copied');
  });

  it('announces a notice without the reading', async () => {
    const { type, host, lab, settle } = await draw();
    await type(formatToolCalls([CALL], 'react'));
    lab.notify('Copied.');
    await settle();
    const regions = [...host.querySelectorAll('[role=status]')].map(textOf);
    expect(regions).toEqual(['Rescued: 1 call, react.', 'Copied.']);
  });

  it('says which tools were guessed, and which were chosen', async () => {
    const { type, host, settle } = await draw({ answers: { 'lab/choose-tools': { tools: [TOOL] } } });
    await type(formatToolCalls([CALL], 'react'));
    const tools = (): string => textOf(host.querySelector('.lab-tools'));
    expect(tools()).toContain(
      'guessed from the text: get_weather(city) No schema: values stay text, and nothing is checked.',
    );
    findButton(host, 'Choose tools…').click();
    await settle();
    expect(tools()).toContain('Tools, chosen: get_weather(city)');
    expect(tools()).not.toContain('No schema');
    findButton(host, 'Guess them from the text').click();
    await settle();
    expect(tools()).toContain('guessed');
  });

  it('reads with one format, and with the next', async () => {
    const { type, host, choose, lab, settle } = await draw();
    await type(formatToolCalls([CALL], 'hermes-json'));
    await choose('Read in', 'react');
    expect(textOf(host.querySelector('.outcome'))).toContain('No call · nothing in it looks like a call');
    findButton(host, 'Read in the next format').click();
    await settle();
    const ids = lab.state.formats.map(({ id }) => id);
    expect(lab.state.document.format).toBe(ids[ids.indexOf('react') + 1]);
    await choose('Read in', 'all');
    expect(textOf(host.querySelector('.outcome'))).toContain('1 call');
  });

  it('counts what each format alone finds, and reads with the selected one', async () => {
    const { type, host, settle, section, lab } = await draw();
    await type(formatToolCalls([CALL], 'hermes-json'));
    expect(section('Each format alone')).toMatch(/hermes-json Hermes and Qwen: JSON in <tool_call> 1 0/);
    findButton(host, 'Read in hermes-json alone').click();
    await settle();
    expect(lab.state.document.format).toBe('hermes-json');
    await type('x'.repeat(50_001));
    expect(section('Each format alone')).toMatch(/up to 50\s000 characters/);
  });

  it('writes the calls in another format, and reads what is written', async () => {
    const { type, host, choose, section, settle, lab } = await draw();
    await type(formatToolCalls([CALL], 'hermes-json'));
    const name = 'The same calls in another format';
    await choose('Write as', 'llama-json');
    expect(section(name)).toContain('"parameters"');
    findButton(host, 'Write as the next format').click();
    await settle();
    const titles = lab.state.formats
      .map(({ title }) => title)
      .toSorted((one, other) => one.localeCompare(other, 'en'));
    const of = (id: string): number =>
      titles.indexOf(lab.state.formats.find((format) => format.id === id)?.title ?? '');
    expect(of(lab.state.document.writeAs ?? '')).toBe(of('llama-json') + 1);
    await choose('Write as', 'react');
    findButton(host, 'Read this text').click();
    await settle();
    expect(lab.state.document.text).toBe(formatToolCalls([CALL], 'react'));
    expect(textOf(host.querySelector('.outcome'))).toContain('1 call, react');
  });

  it('says that a format cannot express the calls', async () => {
    const { type, choose, section } = await draw();
    await type(formatToolCalls([CALL, CALL], 'hermes-json'));
    await choose('Write as', 'react');
    expect(section('The same calls in another format')).toContain('This format cannot express the calls:');
    expect(section('The same calls in another format')).toContain('room for one call');
  });

  it('says how a server would read the format itself', async () => {
    const { type, section } = await draw();
    await type(formatToolCalls([CALL], 'hermes-json'));
    expect(section('How to get native calls')).toContain('--tool-call-parser hermes');
  });

  it('highlights the span in the text that is selected in the list', async () => {
    const { type, host, settle } = await draw();
    await type(`Sure.\n${formatToolCalls([CALL], 'hermes-json')}`);
    host.querySelector<HTMLElement>('.spans .title')?.click();
    await settle();
    expect(host.querySelector('.trace .mark.is-selected')).not.toBeNull();
    expect(host.querySelector('.spans [aria-current]')?.id).toBe('span-1');
  });

  it('says how many items of a long list are not shown', async () => {
    const { type, section } = await draw();
    const calls = Array.from({ length: 230 }, (_, index) => ({
      name: 'get_weather',
      arguments: { city: `${index}${'x'.repeat(index)}` },
    }));
    await type(formatToolCalls(calls, 'hermes-json'));
    expect(section('Spans')).toContain('Calls that are listed: 200 of 230.');
    expect(section('What a program would get')).toContain('210 more calls');
  });

  it('says that a text is too long', async () => {
    const { type, host } = await draw();
    expect(host.querySelector('textarea')?.maxLength).toBe(1_000_000);
    await type('x'.repeat(1_000_000));
    expect(textOf(host.querySelector('#lab-count'))).toContain('A longer text is cut');
  });

  it('shows hidden characters and markup of a model as text everywhere', async () => {
    const { type, host, choose } = await draw({
      given: { id: 'a', from: 'a\u202eb<b>.txt', document: { version: 1, text: '' } },
    });
    const city = '\u202e\u200b<img src=x onerror=alert(1)>';
    await type(
      `\u202eHi\u200b <script>alert(1)</script>\n${formatToolCalls(
        [
          { name: 'get_weather', arguments: { city, 'k\u202e': 1 } },
          { name: 'x\u200by', arguments: { city } },
        ],
        'hermes-json',
      )}`,
    );
    await choose('Write as', 'yaml');
    expect(host.querySelector('img, script, .lab-head b')).toBeNull();
    const box = host.querySelector('textarea');
    box?.remove();
    expect(hiddenIn(host)).toEqual([]);
    expect(textOf(host)).toContain('202E');
  });

  it('shows why a file cannot be opened, and offers another one', async () => {
    const problem = {
      code: 'refused',
      title: 'This is not a format lab file',
      what: 'Line 2: `text` must be a text.',
      why: '',
      next: 'Mend it.',
    };
    const { host } = await draw({ answers: { 'lab/open': { formats: [], problem } } });
    expect(textOf(host.querySelector('[role=alert]'))).toBe(
      'This is not a format lab file Line 2: text must be a text. Mend it.',
    );
    expect(buttonsIn(host)).toContain('Open file…');
  });

  it('leaves undo in the box to the browser', async () => {
    const { host } = await draw();
    const seen: string[] = [];
    const listener = ({ code }: KeyboardEvent): void => void seen.push(code);
    host.addEventListener('keydown', listener);
    for (const code of ['KeyZ', 'KeyY', 'KeyS']) {
      host
        .querySelector('textarea')
        ?.dispatchEvent(new KeyboardEvent('keydown', { code, ctrlKey: true, bubbles: true, composed: true }));
    }
    expect(seen).toEqual(['KeyS']);
  });
});
