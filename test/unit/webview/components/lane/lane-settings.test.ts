import { html } from 'lit';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocumentLane } from '../../../../../src/protocol';
import type { ComboBox } from '../../../../../webview/components/controls/combo-box';
import type { SelectBox } from '../../../../../webview/components/controls/select-box';
import { LaneSettings } from '../../../../../webview/components/lane/lane-settings';
import type { ModelsState } from '../../../../../webview/state/panel-state';
import type { Drawn, DrawOptions } from '../../draw';
import { buttonsIn, drawPart, textOf, type } from '../../draw';
import { settle as settleTasks } from '../../open-panel';
import { CONNECTION, ENVIRONMENT, toLane } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);
afterEach(() => vi.restoreAllMocks());

const draw = (options: DrawOptions = {}): Promise<Drawn> =>
  drawPart(
    (playground) => html`<pg-lane-settings .playground=${playground} .laneId=${'a'}></pg-lane-settings>`,
    options,
  );
const field = ({ host }: Drawn, label: string): HTMLElement | undefined =>
  [...host.querySelectorAll<HTMLElement>('.field')].find((element) => textOf(element).startsWith(label));
const control = (drawn: Drawn, label: string): Element | null | undefined =>
  field(drawn, label)?.querySelector('vscode-text-field, vscode-text-area');
const select = ({ host }: Drawn, label: string): SelectBox | undefined =>
  [...host.querySelectorAll<SelectBox>('pg-select-box')].find((box) => box.label === label);

async function drawModels(list: ModelsState, model = 'first-look') {
  const drawn = await draw({ lanes: { a: { settings: { model } } }, models: new Map([['demo', list]]) });
  return { ...drawn, box: drawn.host.querySelector<ComboBox>('pg-combo-box') };
}

describe('LaneSettings', () => {
  it('shows the settings in the document', async () => {
    const drawn = await draw({
      lanes: {
        a: {
          settings: {
            sampling: { temperature: 0, stop: ['a', 'b'] },
            limits: { maxSteps: 3 },
            raw: { x: 1 },
          },
        },
      },
    });
    const values = ['Temperature', 'Top P', 'Stop sequences', 'Step limit'].map(
      (label) => (control(drawn, label) as HTMLInputElement | undefined)?.value,
    );
    expect(values).toEqual(['0', '', 'a\nb', '3']);
    expect((control(drawn, 'Raw keys') as HTMLInputElement).value).toBe('{\n  "x": 1\n}');
  });

  it('shows the settings of the connection, and disables what they turn off', async () => {
    const connection = { ...CONNECTION, sampling: { temperature: 0.5 }, isRescueOff: true };
    const drawn = await draw({ environment: { ...ENVIRONMENT, connections: [connection] } });
    expect(textOf(field(drawn, 'Connection'))).toContain('sets rescue off · temperature 0.5');
    const box = drawn.host.querySelector<HTMLInputElement>('.switch vscode-checkbox');
    expect([box?.checked, box?.hasAttribute('disabled')]).toEqual([false, true]);
  });

  it('sends a typed value when the field loses the focus, and shows an error at once', async () => {
    const drawn = await draw();
    type(control(drawn, 'Seed'), '7');
    control(drawn, 'Seed')?.dispatchEvent(new Event('focusout', { bubbles: true }));
    await drawn.settle();
    expect(drawn.sent('document/edit')).toEqual([
      {
        edits: [{ path: ['lanes', 0, 'sampling', 'seed'], value: 7 }],
        gather: 'sampling.seed a',
        isLast: true,
      },
    ]);
    type(control(drawn, 'Raw keys'), '{"api_key": "a"}');
    await drawn.settle();
    expect(textOf(field(drawn, 'Raw keys'))).toContain('cannot have `api_key`');
    expect(drawn.sent('document/edit')).toHaveLength(1);
  });

  it('shows raw keys that the server of the connection would use', async () => {
    const example = (drawn: Drawn) => control(drawn, 'Raw keys')?.getAttribute('placeholder');
    expect(example(await draw())).toBe('{"options": {"num_batch": 64}}');
    const samplingKeys = { ...CONNECTION.samplingKeys, numCtx: null };
    const connections = [{ ...CONNECTION, samplingKeys }];
    expect(example(await draw({ environment: { ...ENVIRONMENT, connections } }))).toBe('{"top_k": 20}');
  });

  it('marks parameters that the server does not have, as dropped when they are set', async () => {
    const settings = { connection: 'hosted', model: 'm' };
    const unset = await draw({ lanes: { a: { settings } } });
    expect(textOf(field(unset, 'Top K'))).toContain('not supported by this connection');
    expect(textOf(field(unset, 'Top P'))).not.toContain('no word');
    expect(unset.text()).not.toContain('dropped');
    const set = await draw({ lanes: { a: { settings: { ...settings, sampling: { topK: 40 } } } } });
    expect(textOf(field(set, 'Top K'))).toContain('dropped, not supported by this connection');
  });

  it('offers a tool choice, and marks it if the server does not have it', async () => {
    const local = await draw({ lanes: { a: { settings: { toolChoice: { tool: 'gone' } } } } });
    expect(local.text()).toContain('dropped, not supported by this connection');
    const unset = await draw();
    expect(unset.text()).toContain('not supported by this connection');
    expect(unset.text()).not.toContain('dropped');
    const box = select(local, 'Tool choice');
    expect(box?.value).toBe('tool gone');
    expect(box?.choices.map(({ label }) => label)).toEqual([
      'not sent',
      'auto',
      'none',
      'required',
      'gone',
      'get_weather',
    ]);
    box?.dispatchEvent(new CustomEvent('pg-change', { detail: 'tool get_weather' }));
    box?.dispatchEvent(new CustomEvent('pg-change', { detail: 'required' }));
    box?.dispatchEvent(new CustomEvent('pg-change', { detail: '' }));
    await local.settle();
    const path = ['lanes', 0, 'toolChoice'];
    expect(local.sent('document/edit')).toEqual([
      { edits: [{ path, value: { tool: 'get_weather' } }] },
      { edits: [{ path, value: 'required' }] },
      { edits: [{ path }] },
    ]);
    const hosted = await draw({ lanes: { a: { settings: { connection: 'hosted', model: 'm' } } } });
    expect(textOf(select(hosted, 'Tool choice')?.parentElement)).not.toContain('dropped');
  });

  it('changes the connection with the model in one undo step', async () => {
    const drawn = await draw({
      lanes: { a: { settings: { model: 'first-look' } } },
      answers: { 'connection/models': { models: ['embed', 'gpt'], chatModels: ['gpt'] } },
    });
    select(drawn, 'Connection')?.dispatchEvent(new CustomEvent('pg-change', { detail: 'hosted' }));
    const path = ['lanes', 0, 'model'];
    await expect
      .poll(() => drawn.sent('document/edit'))
      .toEqual([
        { edits: [{ path: ['lanes', 0, 'connection'], value: 'hosted' }, { path }], gather: 'connection a' },
        { edits: [{ path, value: 'gpt' }], gather: 'connection a' },
      ]);
  });

  it.each([
    [
      'keeps a model that the other server has too',
      { models: ['gpt', 'mine'] },
      undefined,
      'mine',
      undefined,
    ],
    [
      'says that it has it not',
      { models: ['gpt'] },
      undefined,
      'gpt',
      'Hosted does not list mine: the lane uses gpt now.',
    ],
    [
      'says it where the connection has its own',
      { models: ['gpt'] },
      'own',
      undefined,
      'Hosted does not list mine: the lane uses own now.',
    ],
    ['keeps it there too', { models: ['gpt', 'mine'] }, 'own', 'mine', undefined],
    ['says nothing where no list can be had', { models: [] }, 'own', undefined, undefined],
  ])('changes the connection and %s', async (_name, list, own, model, notice) => {
    const hosted = { ...CONNECTION, id: 'hosted', label: 'Hosted', model: own };
    const drawn = await draw({
      lanes: { a: { settings: { model: 'mine' } } },
      environment: { ...ENVIRONMENT, connections: [CONNECTION, hosted] },
      answers: { 'connection/models': list },
    });
    const notify = vi.spyOn(drawn.playground, 'notify');
    select(drawn, 'Connection')?.dispatchEvent(new CustomEvent('pg-change', { detail: 'hosted' }));
    await settleTasks();
    const edits = drawn.sent('document/edit').slice(1) as { edits: { value?: unknown }[] }[];
    expect(edits.flatMap((edit) => edit.edits.map(({ value }) => value))).toEqual(
      model === undefined ? [] : [model],
    );
    expect(notify.mock.calls.flat()).toEqual(notice === undefined ? [] : [notice]);
  });

  describe('when the list of models arrives late', () => {
    const path = (index: number): unknown[] => ['lanes', index, 'model'];

    /** Chooses another connection, whose list of models arrives only after `meanwhile`. */
    async function chooseSlowly(meanwhile: (drawn: Drawn) => void): Promise<unknown[]> {
      const drawn = await draw({
        lanes: { a: { settings: { model: 'first-look' } }, b: { settings: { model: 'other' } } },
      });
      const { playground } = drawn;
      vi.spyOn(playground, 'readModels').mockImplementation((id) => {
        meanwhile(drawn);
        const list: ModelsState = { status: 'ready', models: ['gpt'] };
        playground.update((state) => ({ ...state, models: new Map([[id, list]]) }));
        return Promise.resolve();
      });
      const edit = vi.spyOn(playground, 'edit');
      select(drawn, 'Connection')?.dispatchEvent(new CustomEvent('pg-change', { detail: 'hosted' }));
      await settleTasks();
      return edit.mock.calls.slice(1).flatMap(([edits]) => edits.map((one) => one.path));
    }
    const setLanes = ({ playground }: Drawn, lanes: readonly DocumentLane[]): void =>
      playground.update((state) => {
        const { document } = state.session;
        if (!document) return state;
        const changed = { ...document, document: { ...document.document, lanes: [...lanes] } };
        return { ...state, session: { ...state.session, document: changed } };
      });
    const [a, b] = [toLane('a', { connection: 'hosted', model: undefined }), toLane('b', { model: 'other' })];

    it('sets the first model in the same lane at its current position', async () => {
      expect(await chooseSlowly((drawn) => setLanes(drawn, [b, a]))).toEqual([path(1)]);
    });

    it.each([
      ['was removed', [b]],
      ['has got a model meanwhile', [{ ...a, model: 'mine' }, b]],
      ['has got another connection meanwhile', [{ ...a, connection: 'third' }, b]],
    ])('sets no model when the lane %s', async (_, lanes) => {
      expect(await chooseSlowly((drawn) => setLanes(drawn, lanes))).toEqual([]);
    });

    it('does not replace a model name that is being typed', async () => {
      expect(await chooseSlowly(({ playground }) => playground.fields.type('lane.model a', 'mi'))).toEqual(
        [],
      );
    });
  });

  it('keeps an unknown connection among the options', async () => {
    const drawn = await draw({ lanes: { a: { settings: { connection: 'office' } } } });
    expect(select(drawn, 'Connection')?.choices[0]).toEqual({ id: 'office', label: 'office (not set up)' });
  });

  it('says that a list of models is truncated, and what to do', async () => {
    const { text } = await drawModels({ status: 'ready', models: ['a', 'b'], omitted: 7 });
    expect(text()).toContain('The server lists 7 more than these 2; type the name of one.');
    const whole = await drawModels({ status: 'ready', models: ['a', 'b'] });
    expect(whole.text()).not.toContain('The server lists');
  });

  it('says why a list of models could not be read, and what to do', async () => {
    const error = {
      code: 'network',
      title: 'T',
      what: 'GET failed.',
      why: 'Nothing listens.',
      next: 'Start it.',
    };
    const { text, host } = await drawModels({ status: 'failed', models: [], error });
    expect(text()).toContain(
      'The list of models could not be read. Type a name. GET failed. Nothing listens. Start it.',
    );
    expect(buttonsIn(host)).toContain('Read again');
  });

  it('marks the model with the tag “latest” for a name without a tag', async () => {
    const models = ['qwen3:latest', 'qwen3:8b'];
    const current = async (model: string) =>
      (await drawModels({ status: 'ready', models }, model)).box?.current;
    expect(await current('qwen3')).toBe('qwen3:latest');
    expect(await current('qwen3:8b')).toBe('');
    expect(await current('gemma')).toBe('');
  });

  it('offers no models that only embed', async () => {
    const list = { models: ['demo-embed', 'first-look'], chatModels: ['first-look'] };
    expect((await drawModels({ status: 'ready', ...list })).box?.options).toEqual(['first-look']);
  });

  it('is not redrawn by the clock or by changes of other lanes', async () => {
    const { playground, settle } = await draw({ lanes: { a: {}, b: {} } });
    const render = vi.spyOn(LaneSettings.prototype, 'render');
    playground.update((state) => ({ ...state, now: 5000 }));
    playground.setView({ draft: 'typing' });
    playground.update((state) => {
      const { document } = state.session;
      return document
        ? { ...state, session: { ...state.session, document: { ...document, draft: 'typing', version: 9 } } }
        : state;
    });
    await settle();
    expect(render).not.toHaveBeenCalled();
  });

  it('is disabled while the document is invalid', async () => {
    const drawn = await draw({ document: { error: { line: 1, message: 'x' } } });
    expect(control(drawn, 'Seed')?.hasAttribute('disabled')).toBe(true);
    expect(select(drawn, 'Connection')?.isDisabled).toBe(true);
  });
});
