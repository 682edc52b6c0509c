import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LaneEntry } from '../../../../../src/protocol';
import type { Drawn, DrawOptions } from '../../draw';
import { buttonsIn, drawPart, findButton, textOf } from '../../draw';
import {
  CALL,
  rescuedCallAt,
  toMessage,
  toReplied,
  toReply,
  toResult,
  toRunState,
  TOOL,
} from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const draw = (entries: LaneEntry[], options: DrawOptions = {}): Promise<Drawn> =>
  drawPart(
    (playground) =>
      html`<section class="lane" data-lane="a">
        <pg-transcript .playground=${playground} .laneId=${'a'}></pg-transcript>
      </section>`,
    { lanes: { a: { entries: [toMessage('m'), ...entries] } }, ...options },
  );

describe('a call in a reply', () => {
  it('shows its arguments, its source, and violations of its schema below', async () => {
    const schemaIssues = { 0: [{ path: '/city', message: 'is not `Bergen`' }] };
    const reply = toReply('', [CALL], { schemaIssues });
    const { host } = await draw([toReplied('r1', reply)]);
    const card = host.querySelector('.call');
    expect(textOf(card?.querySelector('.name'))).toBe('get_weather');
    expect(textOf(card?.querySelector('.src'))).toBe('native');
    expect(textOf(card?.querySelector('.args'))).toBe('city "Oslo"');
    expect(textOf(card?.querySelector('.args + .note'))).toBe('/city is not Bergen');
  });

  it('shows no place in the arguments for a problem of the whole call', async () => {
    const issues = [
      { path: '', message: '`get_wether` is not an offered tool.' },
      { path: '', message: 'is a list' },
    ];
    const { host } = await draw([toReplied('r1', toReply('', [CALL], { schemaIssues: { 0: issues } }))]);
    const notes = [...host.querySelectorAll('.call .note')].map(textOf);
    expect(notes).toEqual(['get_wether is not an offered tool.', '/ is a list']);
  });

  it('makes hidden characters visible in name, arguments and result', async () => {
    const call = { ...CALL, name: 'get\u200b_weather', arguments: { 'ci\u202ety': 'Os\u202elo' } };
    const { host } = await draw([
      toReplied('r1', toReply('', [call]), { results: { 0: toResult('co\u202eld') } }),
    ]);
    const words = (selector: string): string | undefined =>
      host.querySelector(`.call ${selector}`)?.textContent;
    expect(words('.name')).toBe('getU+200B_weather');
    expect(words('dt')).toBe('ciU+202Ety');
    expect(words('dd')).toBe('"OsU+202Elo"');
    expect(words('.foot code')).toBe('coU+202Eld');
    expect(host.querySelector('.foot code')?.getAttribute('title')).toBe('co[U+202E]ld');
  });

  it('is marked if its tool is unknown, or its arguments are not JSON', async () => {
    const bad = { ...CALL, arguments: '{"city":' };
    const reply = toReply('', [{ ...CALL, name: 'get_wether' }, bad, rescuedCallAt(0, 9)], {
      parseErrors: { 1: 'Unexpected end' },
    });
    const { host } = await draw([toReplied('r1', reply)]);
    const words = [...host.querySelectorAll('.src')];
    expect(words.map(textOf)).toEqual(['unknown tool', 'not JSON', 'rescued']);
    expect(words.slice(0, 2).every((word) => word.querySelector('.s-warning'))).toBe(true);
    expect(host.textContent).toContain('The arguments cannot be read: Unexpected end');
  });

  it('becomes an expectation, as its reply does, and its editor opens', async () => {
    const drawn = await draw([toReplied('r1', toReply('', [CALL]))]);
    const menu = drawn.host.querySelector('.call pg-menu-button') ?? drawn.host;
    findButton(menu, 'More actions for get_weather').click();
    await drawn.settle();
    menu.querySelector<HTMLElement>('[role=menuitem]')?.click();
    await drawn.settle();
    expect(drawn.sent('evaluation/expect')).toEqual([
      { laneId: 'a', runId: 'r1', what: 'call', callIndex: 0 },
    ]);
    expect(drawn.playground.state.view.view).toBe('evaluate');
    expect(drawn.playground.state.evaluate.expectation).toBe(0);
    findButton(drawn.host, 'Expect this reply').click();
    expect(drawn.sent('evaluation/expect')).toContainEqual({ laneId: 'a', runId: 'r1', what: 'reply' });
  });

  it('becomes a mock of its tool, or a text in the clipboard', async () => {
    const drawn = await draw([toReplied('r1', toReply('', [CALL]))]);
    const choose = async (label: string): Promise<void> => {
      const menu = drawn.host.querySelector('.call pg-menu-button') ?? drawn.host;
      findButton(menu, 'More actions for get_weather').click();
      await drawn.settle();
      const items = [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
      items.find((each) => textOf(each).includes(label))?.click();
      await drawn.settle();
    };
    await choose('Add a mock');
    expect(drawn.sent('tool/mock-call')).toEqual([{ laneId: 'a', runId: 'r1', callIndex: 0 }]);
    expect(drawn.playground.state.view.view).toBe('tools');
    await choose('Copy as JSON');
    expect(drawn.playground.state.notice).toContain('The call');
  });

  it('is selected in the inspector; a rescued one in its text if the Rescue tab is open', async () => {
    const rescued = rescuedCallAt(0, 9);
    const rescue = { calls: [rescued], content: '', rejected: [] };
    const { host, playground } = await draw([
      toReplied('r1', toReply('<tool_call>', [rescued, CALL], { rescue })),
    ]);
    const heads = [...host.querySelectorAll<HTMLElement>('.call .head')];
    const select = (index: number, tab: 'reply' | 'rescue'): string => {
      playground.setView({ tab });
      heads[index]?.click();
      expect(playground.state.view.selection).toEqual({ laneId: 'a', runId: 'r1', callIndex: index });
      return playground.state.view.tab;
    };
    expect(select(0, 'reply')).toBe('tool-calls');
    expect(select(0, 'rescue')).toBe('rescue');
    expect(select(1, 'rescue')).toBe('tool-calls');
  });

  it('has a result field that starts with the mock’s result, and is the primary action', async () => {
    const { host, settle, sent } = await draw([toReplied('r1', toReply('', [CALL]))]);
    expect(findButton(host, 'Give result').getAttribute('appearance')).toBe('primary');
    findButton(host, 'Give result').click();
    await settle();
    expect(textOf(host.querySelector('.result-editor'))).toContain('Result of get_weather');
    findButton(host, 'Send result').click();
    await settle();
    expect(sent('result/give')).toEqual([
      { laneId: 'a', runId: 'r1', results: [{ callIndex: 0, content: '{"temp_c":-2}', isError: false }] },
    ]);
    expect(host.querySelector('.result-editor')).toBeNull();
  });

  it('has an empty result field if its mocks are for other calls', async () => {
    const mocks = [
      { when: { city: 'Bergen' }, result: 'Rain.' },
      { call: 2, result: 'Sun.' },
    ];
    const options = { document: { tools: [{ ...TOOL, mocks }] } };
    const { host, settle, playground } = await draw([toReplied('r1', toReply('', [CALL]))], options);
    findButton(host, 'Give result').click();
    await settle();
    expect(playground.state.view.results.get('r1')?.[0]?.content).toBe('');
  });

  it('stores a result without sending it while its run is paused', async () => {
    const entries = [toMessage('m'), toReplied('r1', toReply('', [CALL]))];
    const run = toRunState('r1', { phase: 'paused' });
    const { host, settle } = await draw([], { lanes: { a: { entries, run } } });
    findButton(host, 'Give result').click();
    await settle();
    expect(buttonsIn(host)).toContain('Keep result');
    expect(buttonsIn(host)).not.toContain('Send result');
  });

  it('shows an error result as both protocols send it', async () => {
    const result = toResult('offline', { isError: true });
    const { host } = await draw([toReplied('r1', toReply('', [CALL]), { results: { 0: result } })]);
    expect(textOf(host.querySelector('.call .foot'))).toBe(
      'by a mock, an error, not sent yet Error: offline',
    );
    const pinned = { role: 'tool' as const, toolName: 'get_weather', isError: true };
    const { text } = await draw([toMessage('m1', 'offline', pinned)]);
    expect(text()).toContain('get_weather, an error Error: offline');
  });

  it('shows a result with its source, which can be changed', async () => {
    const results = { 0: toResult('4 °C', { isEdited: true }) };
    const { host, settle, playground } = await draw([toReplied('r1', toReply('', [CALL]), { results })]);
    expect(textOf(host.querySelector('.call .foot'))).toBe('by a mock, edited, not sent yet 4 °C');
    findButton(host, 'Edit result').click();
    await settle();
    expect(playground.state.view.results.get('r1')?.[0]?.content).toBe('4 °C');
  });

  /** A call with a result, which the answer below it was sent. */
  const sentEntries = (isError = false): LaneEntry[] => [
    toReplied('r1', toReply('', [CALL]), { results: { 0: toResult('offline', { isError }) } }),
    toReplied('r2', toReply('It is offline.', [])),
  ];
  const type = async ({ host, settle }: Drawn, text: string): Promise<void> => {
    const box = host.querySelector<HTMLElement & { value: string }>('.result-editor vscode-text-area');
    if (!box) throw new Error('no result editor');
    box.value = text;
    box.dispatchEvent(new Event('input'));
    await settle();
  };

  it('says of a result that it was sent by no word, and of a text that is not sent that it is not', async () => {
    const drawn = await draw(sentEntries());
    const { host, settle } = drawn;
    expect(textOf(host.querySelector('.call .foot'))).toBe('by a mock offline');
    findButton(host, 'Edit result').click();
    await settle();
    const hint = (): string => textOf(host.querySelector('.result-editor .hint'));
    expect(hint()).toBe('The turns after this reply are replaced.');
    await type(drawn, 'fire');
    expect(hint()).toBe('Changed, not sent. The turns after this reply are replaced.');
    findButton(host, 'Close').click();
    await settle();
    expect(textOf(host.querySelector('.call .foot'))).toBe('by a mock, changed since, not sent offline');
  });

  it('loses the mark of an error when another text is written, unless the person sets it', async () => {
    const drawn = await draw(sentEntries(true));
    const { host, settle } = drawn;
    const mark = (): Element | null => host.querySelector('.result-editor vscode-checkbox');
    findButton(host, 'Edit result').click();
    await settle();
    expect(mark()).toHaveProperty('checked', true);
    await type(drawn, '{"eur": 27}');
    expect(mark()).toHaveProperty('checked', false);
    findButton(host, 'Send result').click();
    await settle();
    expect(drawn.sent('result/give')).toMatchObject([
      { results: [{ content: '{"eur": 27}', isError: false }] },
    ]);
  });

  it('keeps a partial result when its editor closes', async () => {
    const results = new Map([['r1', { 0: { content: 'half a res', isError: true, isOpen: true } }]]);
    const { host, settle, playground } = await draw([toReplied('r1', toReply('', [CALL]))], {
      view: { results },
    });
    findButton(host, 'Close').click();
    await settle();
    findButton(host, 'Give result').click();
    await settle();
    expect(playground.state.view.results.get('r1')?.[0]).toMatchObject({
      content: 'half a res',
      isError: true,
    });
  });
});
