import { describe, expect, test } from 'vitest';
import type { Environment, HttpSettings } from '../../../../src/host/network/resolve-network';
import { chooseNetwork } from '../../../../src/host/network/resolve-network';

const NONE: HttpSettings = {
  proxy: '',
  proxySupport: 'override',
  noProxy: [],
  proxyStrictSSL: true,
  proxyAuthorization: undefined,
};
const proxyOf = (origin: string, settings: Partial<HttpSettings> = {}, environment: Environment = {}) =>
  chooseNetwork(origin, { ...NONE, ...settings }, environment, undefined).options.proxy;

describe('chooseNetwork', () => {
  test('without settings and environment nothing is set', () => {
    expect(chooseNetwork('https://api.example', NONE, {}, undefined).options).toEqual({});
  });

  test('the setting comes before the environment, and a missing scheme is http', () => {
    const environment = { https_proxy: 'http://env:1', HTTP_PROXY: 'http://plain:2' };
    expect(proxyOf('https://api.example', { proxy: 'corp:3128' }, environment)).toBe('http://corp:3128');
    expect(proxyOf('https://api.example', {}, environment)).toBe('http://env:1');
    expect(proxyOf('http://api.example', {}, environment)).toBe('http://plain:2');
  });

  test('with proxy support off there is none', () => {
    expect(proxyOf('https://api.example', { proxy: 'http://corp', proxySupport: 'off' })).toBeUndefined();
  });

  test.each(['http://localhost:11434', 'http://127.0.0.1:8080', 'http://[::1]'])(
    '%s is never behind a proxy',
    (origin) => {
      expect(proxyOf(origin, { proxy: 'http://corp' })).toBeUndefined();
    },
  );

  test.each([
    ['*', true],
    ['api.example', true],
    ['.example', true],
    ['*.example', true],
    ['example', true],
    ['api.example:443', true],
    ['api.example:8443', false],
    ['pi.example', false],
    ['other.example', false],
    ['', false],
  ])('the exception %s holds for https://api.example: %s', (exception, holds) => {
    const settings = { proxy: 'http://corp', noProxy: [exception] };
    expect(proxyOf('https://api.example', settings) === undefined).toBe(holds);
    expect(
      proxyOf('https://api.example', { proxy: 'http://corp' }, { NO_PROXY: `x, ${exception}` }) === undefined,
    ).toBe(holds);
  });

  test('strictness, authorization and certificates are passed on', () => {
    const settings = {
      ...NONE,
      proxy: 'http://corp',
      proxyAuthorization: 'Basic eA==',
      proxyStrictSSL: false,
    };
    expect(chooseNetwork('https://api.example', settings, {}, ['PEM']).options).toEqual({
      proxy: 'http://corp',
      proxyAuthorization: 'Basic eA==',
      ca: ['PEM'],
      rejectUnauthorized: false,
    });
  });
});
