import { html } from 'lit';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { drawPart, findButton } from '../../draw';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const panel = (playground: unknown) =>
  html`<pg-embedding-panel .playground=${playground}></pg-embedding-panel>`;

describe('EmbeddingPanel', () => {
  it.each([
    ['Macintosh; Intel Mac OS X', '⌘'],
    ['X11; Linux x86_64', 'Ctrl'],
  ])('names the keys of its keyboard: %s', async (userAgent, key) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
    onTestFinished(() => void vi.restoreAllMocks());
    const models = new Map([['demo', { status: 'ready' as const, models: ['e'], embedModel: 'e' }]]);
    const { host } = await drawPart(panel, { models });
    expect(host.querySelector('kbd')?.textContent).toBe(key);
  });

  it('keeps the connection that was chosen last, whichever server lists its models first', async () => {
    const { host, playground, sent, settle } = await drawPart(panel);
    const listed: (() => void)[] = [];
    playground.readModels = () => new Promise((resolve) => listed.push(resolve));
    const box = host.querySelector('pg-select-box');
    for (const detail of ['slow', 'quick']) box?.dispatchEvent(new CustomEvent('pg-change', { detail }));
    for (const resolve of listed.toReversed()) {
      resolve();
      await settle();
    }
    expect(sent('document/edit')).toMatchObject([{ edits: [{ value: { connection: 'quick' } }] }]);
  });

  it('waits for the models of a connection if their list is already being read', async () => {
    const answers = { 'connection/models': { models: ['e'], embedModel: 'e' } };
    const { host, playground, sent, settle } = await drawPart(panel, { answers });
    const reading = playground.readModels('slow');
    const box = host.querySelector('pg-select-box');
    box?.dispatchEvent(new CustomEvent('pg-change', { detail: 'slow' }));
    await reading;
    await settle();
    const value = { connection: 'slow', model: 'e' };
    expect(sent('document/edit')).toMatchObject([{ edits: [{ value }] }]);
    expect(sent('connection/models')).toEqual([{ connectionId: 'slow' }]);
  });

  it('writes no model before one is known, so that the one of the server is proposed later', async () => {
    const { host, playground, sent, settle } = await drawPart(panel);
    findButton(host, 'Add text').click();
    playground.fields.type('embedding.texts.0', 'Rain.');
    await playground.fields.flush();
    await settle();
    const edits = sent('document/edit') as { edits: { value: object }[] }[];
    expect(edits.length).toBeGreaterThan(1);
    for (const {
      edits: [edit],
    } of edits)
      expect(edit?.value).not.toHaveProperty('model');
  });

  it('removes a text that is too long for the document, and keeps what is typed into others', async () => {
    const { host, playground, sent, settle } = await drawPart(panel);
    const [first, third] = ['x'.repeat(9000), 'y'.repeat(9000)];
    playground.fields.type('embedding.texts.0', first);
    playground.fields.type('embedding.texts.2', third);
    findButton(host, 'Remove text 1').click();
    await settle();
    expect([...playground.state.view.fields]).toEqual([['embedding.texts.1', third]]);
    expect([...playground.state.view.typedOver.keys()]).toEqual(['embedding.texts.1']);
    const texts = [expect.stringContaining('In Oslo'), expect.stringContaining('invoice')];
    expect(sent('document/edit')).toMatchObject([{ edits: [{ value: { texts } }] }]);
  });

  it('adds and removes texts without losing one that was just typed', async () => {
    const { host, playground, sent, settle } = await drawPart(panel);
    playground.fields.type('embedding.texts.0', 'Rain.');
    const click = async (name: string): Promise<void> => {
      findButton(host, name).click();
      await settle();
    };
    await click('Add text');
    await click('Remove text 2');
    const kept = [expect.stringContaining('In Oslo'), expect.stringContaining('invoice')];
    expect(sent('document/edit')).toMatchObject([
      { edits: [{ value: { texts: ['Rain.', ...kept, ''] } }] },
      { edits: [{ value: { texts: ['Rain.', kept[1]] } }] },
    ]);
  });
});
