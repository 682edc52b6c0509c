// How settings and environment affect the requests of a connection, with a real proxy and real TLS: where they go, and which
// errors they result in.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import { DemoSource } from '../../../../src/connections/sources/demo-source';
import { closeConnections } from '../../../../src/library';
import type { ErrorInfo } from '../../../../src/protocol';
import { sendJson, startServer } from '../../../support/servers/http-server';
import type { TestServer } from '../../../support/servers/http-server';
import { startProxy } from '../../../support/servers/proxy-server';
import { withNames } from '../../../support/connections/resolver';
import { startTlsServer } from '../../../support/servers/tls-server';
import { FakeSecrets, settings } from '../../../support/vscode/vscode-stub';
import { connect } from '../../../support/connections/connect';

const MODELS = { data: [{ id: 'm' }] };
/** A URL whose name only a proxy can resolve. */
const FAR = 'http://far.invalid/v1';
const USER = 'canary-user:canary-pass';
const AUTHORIZATION = `Basic ${Buffer.from(USER).toString('base64')}`;
const DEAD = 'http://127.0.0.1:9';

let server: TestServer;

beforeEach(async () => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
  settings.user = {};
  settings.workspace = {};
  server = await startServer((_, response) => sendJson(response, 200, MODELS));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await closeConnections();
  await server[Symbol.asyncDispose]();
});

const portOf = ({ url }: TestServer): number => Number(new URL(url).port);

/** @returns the models, or the error as the user sees it */
async function listModels(host: string): Promise<string[] | ErrorInfo> {
  const own = { provider: 'hosted-api', auth: 'none', host, model: 'm', retry: false };
  settings.user = { ...settings.user, connections: { own } };
  const connections = connect(new ApiKeys(new FakeSecrets()), new DemoSource());
  const connection = connections.find('own');
  try {
    const request = { connection, model: undefined, rescueToolCalls: true };
    const { provider } = await connections.makeProvider(request);
    return await provider.listModels();
  } catch (error) {
    return connections.explain(error, connection);
  }
}

describe('a request of a connection', () => {
  test('uses the proxy of the settings, with authorization from the settings or the URL', async () => {
    await using proxy = await startProxy(portOf(server), { wanted: AUTHORIZATION });
    settings.user = { proxy: `http://${proxy.address}`, proxyAuthorization: AUTHORIZATION };
    expect(await listModels(FAR)).toEqual(['m']);
    settings.user = { proxy: `http://${USER}@${proxy.address}` };
    expect(await listModels(FAR)).toEqual(['m']);
    expect(proxy.tunnels.map(({ target }) => target)).toEqual(['far.invalid:80', 'far.invalid:80']);
  });

  test('fails if the proxy requires a user, and the error says where to set one', async () => {
    await using proxy = await startProxy(portOf(server), { wanted: AUTHORIZATION });
    settings.user = { proxy: proxy.address };
    expect(await listModels(FAR)).toMatchObject({
      why: `The proxy requires a user name and password (407). The requests go through the proxy ${proxy.address}, from the setting http.proxy.`,
      next: expect.stringContaining('http.proxyAuthorization') as string,
    });
    settings.user = { proxy: proxy.address, proxyAuthorization: 'Basic canary-wrong' };
    const refused = await listModels(FAR);
    expect(refused).toMatchObject({ why: expect.stringContaining('(407)') as string });
    expect(JSON.stringify(refused)).not.toContain('canary');
  });

  test('fails if the proxy is down, and the error names the proxy instead of the server', async () => {
    settings.user = { proxy: DEAD };
    expect(await listModels(FAR)).toMatchObject({
      why: 'The proxy does not answer. The requests go through the proxy 127.0.0.1:9, from the setting http.proxy.',
      next: expect.stringContaining('http.noProxy') as string,
    });
  });

  test('uses the current settings: a changed proxy applies to the next request', async () => {
    await using first = await startProxy(portOf(server));
    await using second = await startProxy(portOf(server));
    settings.user = { proxy: first.address };
    expect(await listModels(FAR)).toEqual(['m']);
    settings.user = { proxy: second.address };
    expect(await listModels(FAR)).toEqual(['m']);
    settings.user = { proxy: second.address, proxySupport: 'off' };
    expect(await listModels(FAR)).toMatchObject({ code: 'network' });
    settings.user = { proxy: second.address, noProxy: ['far.invalid'] };
    expect(await listModels(FAR)).toMatchObject({ code: 'network' });
    expect([first.tunnels.length, second.tunnels.length]).toEqual([1, 1]);
  });

  test('uses the proxy of the environment if the settings have none', async () => {
    await using proxy = await startProxy(portOf(server));
    vi.stubEnv('http_proxy', `http://${proxy.address}`);
    expect(await listModels(FAR)).toEqual(['m']);
    vi.stubEnv('no_proxy', '.invalid');
    expect(await listModels(FAR)).toMatchObject({ code: 'network' });
    expect(proxy.tunnels.length).toBe(1);
  });

  test('fails for a proxy with an unsupported scheme, and the error names the setting', async () => {
    for (const proxy of ['socks5://127.0.0.1:9', 'socks4a://127.0.0.1:9', 'socks://127.0.0.1:9']) {
      settings.user = { proxy };
      expect(await listModels(FAR), proxy).toMatchObject({
        code: 'invalid-options',
        what: 'The proxy 127.0.0.1:9, from the setting http.proxy, cannot be used.',
        why: 'Only HTTP proxies are supported.',
      });
    }
  });

  test('ignores settings of another type than VS Code declares', async () => {
    await using proxy = await startProxy(portOf(server));
    vi.stubEnv('http_proxy', proxy.address);
    for (const value of [null, 5, {}, ['http://127.0.0.1:9']]) {
      settings.user = { proxy: value, proxySupport: value, proxyAuthorization: value, noProxy: [value] };
      expect(await listModels(FAR), JSON.stringify(value)).toEqual(['m']);
      settings.user = { noProxy: value };
      expect(await listModels(FAR), JSON.stringify(value)).toEqual(['m']);
    }
    settings.user = { proxy: ` ${proxy.address} ` };
    expect(await listModels(FAR)).toEqual(['m']);
    settings.user = { noProxy: 'other.example, far.invalid' };
    expect(await listModels(FAR)).toMatchObject({ code: 'network' });
  });

  test('trusts every certificate only if proxyStrictSSL is `false`', async () => {
    await using secure = await startTlsServer(MODELS);
    for (const proxyStrictSSL of [null, 0, '']) {
      settings.user = { proxyStrictSSL };
      const refused = await listModels(`https://localhost:${secure.port}/v1`);
      expect(refused, JSON.stringify(proxyStrictSSL)).toMatchObject({ code: 'network' });
    }
  });

  test('to this machine never uses a proxy', async () => {
    settings.user = { proxy: DEAD };
    vi.stubEnv('HTTP_PROXY', DEAD);
    expect(await listModels(`${server.url}/v1`)).toEqual(['m']);
    expect(await listModels(`http://localhost:${portOf(server)}/v1`)).toEqual(['m']);
  });

  test('to a server with an untrusted certificate fails, with the next step', async () => {
    await using secure = await startTlsServer(MODELS);
    const host = `https://localhost:${secure.port}/v1`;
    expect(await listModels(host)).toMatchObject({
      why: 'The certificate is self-signed.',
      next: expect.stringMatching(
        /certificates of this machine.*NODE_EXTRA_CA_CERTS.*Diagnose Connection/s,
      ) as string,
    });
    expect(secure.requests).toEqual([]);
    settings.user = { proxyStrictSSL: false };
    expect(await listModels(host)).toEqual(['m']);
    await using proxy = await startProxy(secure.port);
    settings.user = { proxy: proxy.address };
    const behind = await listModels(`https://localhost.invalid/v1`);
    expect(behind).toMatchObject({ next: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string });
  });
});

describe('a server of this machine', async () => {
  const listener = createServer((_, response) => sendJson(response, 200, MODELS)).listen(0, '::1');
  const hasIpv6 = await once(listener, 'listening').then(
    () => true,
    () => false,
  );
  const port = hasIpv6 ? (listener.address() as AddressInfo).port : 0;
  afterAll(() => {
    listener.closeAllConnections();
    listener.close();
  });

  test.skipIf(!hasIpv6)('that answers on ::1 only is reached by that address', async () => {
    expect(await listModels(`http://[::1]:${port}/v1`)).toEqual(['m']);
    expect(await listModels(`http://127.0.0.1:${port}/v1`)).toMatchObject({ code: 'network' });
  });

  const ways = ['::1', '127.0.0.1 ::1', '::1 127.0.0.1'];
  test.skipIf(!hasIpv6).each(ways)(
    'that answers on ::1 only is reached as localhost, which is %s',
    async (way) => {
      const host = `http://localhost:${port}/v1`;
      expect(await withNames({ localhost: way.split(' ') }, () => listModels(host))).toEqual(['m']);
    },
  );

  test('that answers on 127.0.0.1 only is reached as localhost, where ::1 comes first', async () => {
    expect(
      await withNames({ localhost: ['::1', '127.0.0.1'] }, () =>
        listModels(`http://localhost:${portOf(server)}/v1`),
      ),
    ).toEqual(['m']);
  });

  test.skipIf(!hasIpv6)(
    'that answers on neither is reported with the addresses that were tried',
    async () => {
      expect(
        await withNames({ localhost: ['::1', '127.0.0.1'] }, () => listModels('http://localhost:9/v1')),
      ).toMatchObject({
        why: 'Nothing listens at that address.',
        causes: ['AggregateError ECONNREFUSED', 'ECONNREFUSED [::1]:9', 'ECONNREFUSED 127.0.0.1:9'],
      });
    },
  );
});
