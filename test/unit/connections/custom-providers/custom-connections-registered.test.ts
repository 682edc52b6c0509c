// Providers that other extensions register, without a module.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderModule, ProviderRegistration } from '../../../../src/connections/custom-providers/api';
import type { ModuleFolder } from '../../../support/connections/custom-modules';
import { openModuleFolder } from '../../../support/connections/custom-modules';
import { EchoProvider } from '../../../support/connections/custom-providers';

let modules: ModuleFolder;
const list = (registrations: ProviderRegistration[]) => modules.connections.read(registrations);

beforeEach(async () => {
  modules = await openModuleFolder();
});
afterEach(() => modules[Symbol.asyncDispose]());

describe('a registration of another extension', () => {
  const register = (providers: ProviderModule): ProviderRegistration => ({
    extensionId: 'acme.models',
    providers,
  });

  test('needs no question, and its connections disappear with it', async () => {
    const registration = register(() => ({ echo: EchoProvider as never }));
    const [connection] = await list([registration]);
    expect(connection).toMatchObject({ label: 'Echo', scope: 'extension', setting: { provider: 'custom' } });
    expect(connection?.id).toBe('extension:acme.models:echo');
    expect(modules.questions).toEqual([]);
    expect(await list([])).toEqual([]);
  });

  test('is called once, with the library', async () => {
    const seen: unknown[] = [];
    const registration = register((library) => {
      seen.push(library.Providers);
      return class Own extends library.LocalHostProvider {};
    });
    await list([registration]);
    await list([registration]);
    expect(seen).toHaveLength(1);
  });

  test('has keys that are bound to the address, because any extension may claim any name', async () => {
    const keyOf = async (host?: string): Promise<unknown> => {
      const playground = { needsKey: true, host };
      const [first] = await list([
        register(() => Object.assign(class Keyed extends EchoProvider {}, { playground }) as never),
      ]);
      return first?.provided?.key;
    };
    const id = 'extension:acme.models#Keyed';
    expect(await keyOf('https://acme.example/v1')).toMatchObject({
      id,
      binding: 'extension:https://acme.example',
    });
    expect(await keyOf('https://evil.example')).toMatchObject({
      id,
      binding: 'extension:https://evil.example',
    });
    expect(await keyOf()).toMatchObject({ id, binding: 'extension:' });
  });

  test('cannot register a second class with the same id', async () => {
    const keyed = (): never =>
      Object.assign(class Keyed extends EchoProvider {}, { playground: { needsKey: true } }) as never;
    const other = (): never => class Other extends EchoProvider {} as never;
    const [first, second, third] = await list([register(keyed), register(keyed), register(other)]);
    expect([first?.problem, third?.problem]).toEqual([undefined, undefined]);
    expect(second).toMatchObject({
      id: `${first?.id}:2`,
      problem: expect.stringContaining('registered under the id of the same extension already'),
    });
  });

  test('that fails becomes an entry with the reason', async () => {
    const [connection] = await list([register(() => 5 as never)]);
    expect(connection?.problem).toBe(
      'acme.models: Its function returned a number instead of a provider class, a list or an object of them. Tell the author of the extension.',
    );
  });
});
