// Which models are offered to the editor's chat, and with how much context.
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections';
import { OfferedModels } from '../../../../src/host/language-model/offered-models';
import { takesRawOptions } from '../../../../src/host/language-model/chat-offer';
import type { ModelInfo } from '../../../../src/types';

type Connections = ConstructorParameters<typeof OfferedModels>[0];

const own = (
  id: string,
  setting: Partial<Connection['setting']> = {},
  rest: Partial<Connection> = {},
): Connection => ({
  id,
  label: id,
  scope: 'user',
  setting: { provider: 'local-host', offerToChat: true, ...setting },
  ...rest,
});

class Fake implements Connections {
  asked = 0;
  isDown = false;
  readonly #connections: Connection[];
  readonly #models: ModelInfo[];
  readonly #keyless: readonly string[];

  constructor(connections: Connection[], models: ModelInfo[], keyless: readonly string[] = []) {
    this.#connections = connections;
    this.#models = models;
    this.#keyless = keyless;
  }
  refresh = async (): Promise<void> => undefined;
  list = (): Connection[] => this.#connections;
  keyTarget: Connections['keyTarget'] = async ({ id }) =>
    this.#keyless.includes(id) ? { id, binding: 'b', recipient: 'r', origin: undefined } : undefined;
  hasKey = async (): Promise<boolean> => false;
  describeServer: Connections['describeServer'] = async () => {
    this.asked++;
    if (this.isDown) throw new Error('down');
    return { models: this.#models };
  };
}

const list = (fake: Fake, now = (): number => 0) =>
  new OfferedModels(fake, now).list(new AbortController().signal);

describe('OfferedModels', () => {
  it('lists only connections that the user settings offer, and that have their key', async () => {
    const fake = new Fake(
      [
        own('on'),
        own('off', { offerToChat: false }),
        own('workspace', {}, { scope: 'workspace' }),
        own('broken', {}, { problem: 'no such field' }),
        own('keyless'),
      ],
      [{ id: 'tiny' }],
      ['keyless'],
    );
    expect((await list(fake)).map(({ id }) => id)).toEqual(['on/tiny']);
    expect(fake.asked).toBe(1);
  });

  it('leaves out embedding models, and keeps the model of the settings that no list has', async () => {
    const models: ModelInfo[] = [{ id: 'tiny' }, { id: 'embed', capabilities: ['embedding'] }];
    const ids = (await list(new Fake([own('a', { model: 'mine' })], models))).map(({ model }) => model);
    expect(ids).toEqual(['mine', 'tiny']);
  });

  it('never offers more context than the server reports, and says when nobody knows', async () => {
    const models: ModelInfo[] = [{ id: 'small', contextLength: 4096 }, { id: 'unknown' }];
    const [small, unknown] = await list(new Fake([own('a', { sampling: { numCtx: 100_000 } })], models));
    expect(small).toMatchObject({ maxInputTokens: 3072, maxOutputTokens: 1024, isContextKnown: true });
    expect(unknown).toMatchObject({ maxInputTokens: 95_904, maxOutputTokens: 4096, isContextKnown: true });
    const [assumed] = await list(new Fake([own('a')], [{ id: 'unknown' }]));
    expect(assumed).toMatchObject({ maxInputTokens: 28_672, isContextKnown: false });
  });

  it('asks a server once a minute, and keeps its list while it does not answer', async () => {
    let now = 0;
    const fake = new Fake([own('a')], [{ id: 'tiny' }]);
    const offered = new OfferedModels(fake, () => now);
    const ids = async (): Promise<string[]> =>
      (await offered.list(new AbortController().signal)).map(({ model }) => model);
    expect(await ids()).toEqual(['tiny']);
    expect(await ids()).toEqual(['tiny']);
    expect(fake.asked).toBe(1);
    now = 61_000;
    fake.isDown = true;
    expect(await ids()).toEqual(['tiny']);
    expect(fake.asked).toBe(2);
  });
});

describe('a model that was listed', () => {
  it('is not found once its connection is switched off, or comes from a workspace', async () => {
    const connections = [own('a')];
    const offered = new OfferedModels(new Fake(connections, [{ id: 'tiny' }]), () => 0);
    await offered.list(new AbortController().signal);
    expect(offered.find('a/tiny')).toMatchObject({ connectionId: 'a', model: 'tiny' });
    expect(offered.find('a/other')).toBeUndefined();
    connections[0] = own('a', { offerToChat: false });
    expect(offered.find('a/tiny')).toBeUndefined();
    connections[0] = own('a', {}, { scope: 'workspace' });
    expect(offered.find('a/tiny')).toBeUndefined();
  });

  it('takes raw options as the user settings say when it is found, and never by those of a workspace', async () => {
    const connections = [own('a')];
    const offered = new OfferedModels(new Fake(connections, [{ id: 'tiny' }]), () => 0);
    await offered.list(new AbortController().signal);
    expect(offered.find('a/tiny')?.takesRawOptions).toBe(false);
    connections[0] = own('a', { chatRawOptions: true });
    expect(offered.find('a/tiny')?.takesRawOptions).toBe(true);
    connections[0] = own('a', { chatRawOptions: false });
    expect(offered.find('a/tiny')?.takesRawOptions).toBe(false);
    for (const scope of ['workspace', 'folder'] as const) {
      connections[0] = own('a', { chatRawOptions: true }, { scope });
      expect(takesRawOptions(connections[0])).toBe(false);
    }
  });
});
