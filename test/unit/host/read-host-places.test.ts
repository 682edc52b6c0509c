import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readHostPlaces } from '../../../src/host/read-host-places';

interface FakeWindow {
  env: { remoteName: string | undefined; uiKind: number };
  hasChat: boolean;
  affinity: unknown;
}

const LOCAL: FakeWindow = { env: { remoteName: undefined, uiKind: 1 }, hasChat: true, affinity: {} };
const fake = vi.hoisted(() => ({}) as FakeWindow);

vi.mock('vscode', () => ({
  UIKind: { Desktop: 1, Web: 2 },
  get env() {
    return fake.env;
  },
  extensions: {
    getExtension: (id: string) => (fake.hasChat && id === 'github.copilot-chat' ? {} : undefined),
  },
  workspace: { getConfiguration: () => ({ get: () => fake.affinity }) },
}));

beforeEach(() => void Object.assign(fake, structuredClone(LOCAL)));

describe('readHostPlaces', () => {
  it.each<[string, Partial<FakeWindow>, object]>([
    ['a local window', {}, { isRemote: false, affinity: {}, hasChat: true }],
    [
      'a remote window',
      { env: { remoteName: 'ssh', uiKind: 1 }, hasChat: false },
      { isRemote: true, hasChat: false },
    ],
    ['a browser', { env: { remoteName: 'x', uiKind: 2 } }, { isRemote: false, hasChat: true }],
    ['several hosts', { affinity: { 'a.b': 2 } }, { affinity: { 'a.b': 2 } }],
  ])('tells where both run in %s', (_title, change, expected) => {
    Object.assign(fake, change);
    expect(readHostPlaces('acme.play')).toMatchObject({ ownId: 'acme.play', ...expected });
  });
});
