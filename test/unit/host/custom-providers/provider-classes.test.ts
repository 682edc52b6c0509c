import { describe, expect, test } from 'vitest';
import { nameClasses } from '../../../../src/host/custom-providers/provider-classes';
import * as library from '../../../../src/library';
import { EchoProvider } from '../../../support/custom-providers';

class AcmeCloudProvider extends EchoProvider {}
class Mine extends library.LocalHostProvider {}
const described = (playground: unknown): unknown =>
  Object.assign(class Described extends EchoProvider {}, { playground });
const names = (returned: unknown): string[] => nameClasses(returned, library).map(({ name }) => name);
const problemOf = (returned: unknown): string | undefined => nameClasses(returned, library)[0]?.problem;

describe('nameClasses', () => {
  test('takes one class, a list or an object of them, and gives each a name of its own', () => {
    expect(names(AcmeCloudProvider)).toEqual(['AcmeCloudProvider']);
    expect(names([Mine, AcmeCloudProvider, Mine])).toEqual(['Mine', 'AcmeCloudProvider', 'Mine 2']);
    expect(names({ one: Mine, two: AcmeCloudProvider })).toEqual(['one', 'two']);
    expect(names([class extends EchoProvider {}])).toEqual(['Provider']);
  });

  test('a class that says nothing gets what can be told from its name and from what it extends', () => {
    const [acme, mine] = nameClasses([AcmeCloudProvider, Mine], library);
    expect(acme).toMatchObject({
      description: { label: 'Acme Cloud', needsKey: false, models: [], samplingKeys: { topK: 'topK' } },
      providerClass: AcmeCloudProvider,
    });
    expect(mine?.description).toMatchObject({ label: 'Mine', samplingKeys: { maxTokens: 'num_predict' } });
  });

  test('a class is what it says of itself, and what it leaves out stays', () => {
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
    [{ host: 'acme' }, 'playground.host has to be an http or https address'],
    [{ needsKey: 'yes' }, 'playground.needsKey has to be boolean'],
    [{ models: 'a' }, 'playground.models has to be a list of texts'],
    [{ samplingKeys: { topK: 5 } }, 'playground.samplingKeys.topK has to be a text'],
    [{ credentials: { apiKey: 'x' } }, 'there is no field playground.credentials.apiKey'],
    [{ samplingKeys: { topX: 'a' } }, 'there is no field playground.samplingKeys.topX'],
    ['text', 'playground has to be an object'],
  ])('a description that is wrong is a problem of this class: %o', (playground, words) => {
    expect(problemOf(described(playground))).toContain(words);
    expect(nameClasses([described(playground), Mine], library)[1]?.problem).toBeUndefined();
  });

  test.each([
    ['a function', () => undefined],
    ['another class', class Other extends Array {}],
    ['a number', 5],
  ])('%s is no provider class', (_, value) => {
    expect(problemOf([value])).toContain('is no class that extends Providers');
  });

  test.each([undefined, null, 5, 'text', [], {}])('%o is no answer', (returned) => {
    expect(() => nameClasses(returned, library)).toThrow(/^Its function returned/);
  });
});
