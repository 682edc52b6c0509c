import { describe, expect, test } from 'vitest';
import type { Environment, HttpSettings } from '../../../../src/connections/network/resolve-network';
import { chooseNetwork } from '../../../../src/connections/network/resolve-network';

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
  test('sets nothing without settings and environment', () => {
    expect(chooseNetwork('https://api.example', NONE, {}, undefined).options).toEqual({});
  });

  test('prefers the setting to the environment, and http as the default scheme', () => {
    const environment = { https_proxy: 'http://env:1', HTTP_PROXY: 'http://plain:2' };
    expect(proxyOf('https://api.example', { proxy: 'corp:3128' }, environment)).toBe('http://corp:3128');
    expect(proxyOf('https://api.example', {}, environment)).toBe('http://env:1');
    expect(proxyOf('http://api.example', {}, environment)).toBe('http://plain:2');
  });

  test('returns no proxy when proxy support is off', () => {
    expect(proxyOf('https://api.example', { proxy: 'http://corp', proxySupport: 'off' })).toBeUndefined();
  });

  test.each(['http://localhost:11434', 'http://127.0.0.1:8080', 'http://[::1]'])(
    'returns no proxy for %s',
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
  ])('treats the exception %s as matching https://api.example: %s', (exception, holds) => {
    const settings = { proxy: 'http://corp', noProxy: [exception] };
    expect(proxyOf('https://api.example', settings) === undefined).toBe(holds);
    expect(
      proxyOf('https://api.example', { proxy: 'http://corp' }, { NO_PROXY: `x, ${exception}` }) === undefined,
    ).toBe(holds);
  });

  test.each([
    ['http://[fd00::1]:8080', 'fd00::1', true],
    ['http://[fd00::1]:8080', 'FD00:0:0::1', true],
    ['http://[fd00::1]:8080', '[fd00::1]', true],
    ['http://[fd00::1]:8080', '[fd00::1]:8080', true],
    ['http://[fd00::1]:8080', '[fd00::1]:80', false],
    ['http://[fd00::1]:8080', 'fd00::2', false],
    ['http://[fd00::1]', 'fd00::/8', true],
    ['http://[fe80::1]', 'fd00::/8', false],
    ['http://[fd00::1]', '10.0.0.0/8', false],
    ['http://10.1.2.3', '10.0.0.0/8', true],
    ['http://10.1.2.3', '10.1.2.3/32', true],
    ['http://10.1.2.3', '10.1.2.3:80', true],
    ['http://11.1.2.3', '10.0.0.0/8', false],
    ['http://10.1.2.3', '10.0.0.0/33', false],
    ['http://10.1.2.3', '10.0.0.0/x', false],
    ['http://10.1.2.3', '2.3', false],
    ['http://api.example', '10.0.0.0/8', false],
    ['http://api.example', '0.0.0.0/0', false],
  ])('treats for %s the exception %s as matching: %s', (origin, exception, holds) => {
    const environment = { HTTP_PROXY: 'http://corp', no_proxy: `x.example ${exception}` };
    expect(proxyOf(origin, {}, environment) === undefined).toBe(holds);
    expect(proxyOf(origin, { proxy: 'http://corp', noProxy: [exception] }) === undefined).toBe(holds);
  });

  test('passes on strictness, authorization and certificates', () => {
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
