import { describe, expect, test } from 'vitest';
import { nameClasses } from '../../../../src/connections/custom-providers/provider-classes';
import * as library from '../../../../src/library';
import { EchoProvider } from '../../../support/connections/custom-providers';

class AcmeCloudProvider extends EchoProvider {}
class Mine extends library.LocalHostProvider {}
const described = (playground: unknown): unknown =>
  Object.assign(class Described extends EchoProvider {}, { playground });
const names = (returned: unknown): string[] => nameClasses(returned, library).map(({ name }) => name);
const problemOf = (returned: unknown): string | undefined => nameClasses(returned, library)[0]?.problem;

describe('nameClasses', () => {
  test('accepts one class, a list or an object of them, and gives each a unique name', () => {
    expect(names(AcmeCloudProvider)).toEqual(['AcmeCloudProvider']);
    expect(names([Mine, AcmeCloudProvider, Mine])).toEqual(['Mine', 'AcmeCloudProvider', 'Mine 2']);
    expect(names({ one: Mine, two: AcmeCloudProvider })).toEqual(['one', 'two']);
    expect(names([class extends EchoProvider {}])).toEqual(['Provider']);
  });

  test('derives the description of a class from its name and its base class', () => {
    const [acme, mine] = nameClasses([AcmeCloudProvider, Mine], library);
    expect(acme).toMatchObject({
      description: { label: 'Acme Cloud', needsKey: false, models: [], samplingKeys: { topK: 'topK' } },
      providerClass: AcmeCloudProvider,
    });
    expect(mine?.description).toMatchObject({ label: 'Mine', samplingKeys: { maxTokens: 'num_predict' } });
  });

  test('merges the description of a class over the derived one', () => {
    const playground = {
      label: 'ACME',
      host: 'https://acme.example/v1',
      model: undefined,
      needsKey: true,
      samplingKeys: { topK: null },
    };
    expect(nameClasses(described(playground), library)[0]?.description).toMatchObject({
      label: 'ACME',
      host: 'https://acme.example/v1',
      models: [],
      needsKey: true,
      samplingKeys: { topK: null, topP: 'topP' },
    });
  });

  test.each([
    [{ labl: 'x' }, 'there is no field playground.labl'],
    [{ host: 'acme' }, 'playground.host must be an http or https address'],
    [{ needsKey: 'yes' }, 'playground.needsKey must be boolean'],
    [{ models: 'a' }, 'playground.models must be a list of texts'],
    [{ samplingKeys: { topK: 5 } }, 'playground.samplingKeys.topK must be a text'],
    [{ credentials: { apiKey: 'x' } }, 'there is no field playground.credentials.apiKey'],
    [{ samplingKeys: { topX: 'a' } }, 'there is no field playground.samplingKeys.topX'],
    ['text', 'playground must be an object'],
  ])('reports an invalid description as a problem of this class only: %o', (playground, words) => {
    expect(problemOf(described(playground))).toContain(words);
    expect(nameClasses([described(playground), Mine], library)[1]?.problem).toBeUndefined();
  });

  test.each([
    ['a function', () => undefined],
    ['another class', class Other extends Array {}],
    ['a number', 5],
  ])('refuses %s', (_, value) => {
    expect(problemOf([value])).toContain('is not a class that extends Providers');
  });

  test('accepts a class whose name is overridden, without affecting others', () => {
    const named = class extends EchoProvider {
      static override name(): void {}
    };
    const hostile = class extends EchoProvider {};
    Object.defineProperty(hostile, 'name', {
      get: () => {
        throw new Error('no name');
      },
    });
    expect(names([named, hostile, Mine])).toEqual(['Provider', 'Provider 2', 'Mine']);
  });

  test('reports an unreadable description as a problem of this class only', () => {
    const hostile = class Hostile extends EchoProvider {
      static get playground(): object {
        throw new Error('boo');
      }
    };
    const [first, second] = nameClasses([hostile, Mine], library);
    expect(first).toMatchObject({ problem: 'Hostile cannot be inspected: Error: boo.' });
    expect(second?.problem).toBeUndefined();
  });

  test('reads a description once, so that what is checked is what is used', () => {
    let reads = 0;
    const changing = class Changing extends EchoProvider {
      static get playground(): object {
        return reads++ === 0
          ? {
              get host() {
                return reads++ < 2 ? 'https://acme.example' : '::nope::';
              },
            }
          : { label: {} };
      }
    };
    const [named] = nameClasses(changing, library);
    expect(named?.problem).toBeUndefined();
    expect([named?.description.host, named?.description.host, named?.description.label]).toEqual([
      'https://acme.example',
      'https://acme.example',
      'Changing',
    ]);
  });

  test('truncates names and labels and makes every character visible', () => {
    const long = described({ label: `a\u202e${'y'.repeat(150)}` });
    Object.defineProperty(long, 'name', { value: 'x'.repeat(5000) });
    const [named] = nameClasses(long, library);
    expect(named?.name).toBe(`${'x'.repeat(100)}…`);
    expect(named?.description.label).toMatch(/^a\\u\{202e\}y{98}…$/);
    expect(nameClasses({ ['k'.repeat(5000)]: Mine }, library)[0]?.name).toHaveLength(101);
  });

  test.each([undefined, null, 5, 'text', [], {}])('refuses %o as the result of a module', (returned) => {
    expect(() => nameClasses(returned, library)).toThrow(/^Its function returned/);
  });
});
