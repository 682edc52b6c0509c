// The connection to a server through a real proxy and real TLS, as a diagnosis reports it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { checkWay } from '../../../../src/connections/diagnose/check-way';
import type { DiagnosisLine } from '../../../../src/connections/diagnose/diagnosis';
import { editorFace } from '../../../../src/host/connections/editor-face';
import type { KnownServer, NetworkOptions } from '../../../../src/library';
import { closeConnections } from '../../../../src/library';
import { diagnose, HERE, lineOf, outline } from '../../../support/diagnosis/diagnose';
import { FakeClock } from '../../../support/fake-clock';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { withNames } from '../../../support/connections/resolver';
import { startProxy } from '../../../support/servers/proxy-server';
import { CERTIFICATE, startTlsServer } from '../../../support/servers/tls-server';

afterAll(closeConnections);

const MODELS = { data: [{ id: 'm' }] };
const AUTHORIZATION = 'Basic Y2FuYXJ5LXVzZXI6Y2FuYXJ5LXBhc3M=';

/** Runs this part of a diagnosis alone, with the given network options. */
async function checkConnection(
  host: string,
  options: NetworkOptions,
  {
    now = '2026-11-22',
    servers = [],
    before,
  }: { now?: string; servers?: readonly KnownServer[]; before?: KnownServer } = {},
): Promise<{ lines: DiagnosisLine[]; isReached: boolean }> {
  const lines: DiagnosisLine[] = [];
  const isReached = await checkWay(
    {
      clock: new FakeClock({ start: Date.parse(now) }),
      place: HERE,
      connections: {
        face: editorFace(),
        chooseNetwork: () => ({ options, why: 'from the setting http.proxy' }),
        answeredBefore: () => before,
        makeProvider: () => Promise.reject(new Error('the way needs no provider')),
        explain: () => Promise.reject(new Error('the way needs no words')),
        keyTarget: () => Promise.reject(new Error('the way needs no key')),
        givenKey: () => Promise.reject(new Error('the way needs no key')),
        secretHeaderNames: () => Promise.reject(new Error('the way needs no headers')),
      },
      connection: { id: 'own', label: 'own', scope: 'user', setting: { provider: 'hosted-api' } },
      model: undefined,
      signal: new AbortController().signal,
      addLine: (line) => void lines.push(line),
      doing: () => undefined,
    },
    host,
    servers,
  );
  return { lines, isReached };
}

describe('the connection through a proxy', () => {
  test('is reported step by step, to a plain server whose name only the proxy knows', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, MODELS));
    await using proxy = await startProxy(Number(new URL(server.url).port));
    const lines = await diagnose(
      { provider: 'hosted-api', auth: 'none', host: 'http://models.invalid/v1', model: 'm' },
      { http: { proxy: `http://${proxy.address}` } },
    );
    expect(outline(lines).slice(2, 8)).toEqual([
      'ok Requests leave from',
      'ok Proxy',
      'ok Name of the proxy',
      'ok Connection to the proxy',
      'ok Tunnel',
      'ok HTTP',
    ]);
    expect(lineOf(lines, 'Proxy').text).toBe(`\`${proxy.address}\`, from the setting http.proxy.`);
    expect(proxy.tunnels[0]?.target).toBe('models.invalid:80');
  });

  test('reports that the proxy requires or refuses a user, and where to set one', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, MODELS));
    await using proxy = await startProxy(Number(new URL(server.url).port), { wanted: AUTHORIZATION });
    const address = `http://${proxy.address}`;
    const without = await checkConnection('http://models.invalid/v1', { proxy: address });
    expect(without.isReached).toBe(false);
    expect(lineOf(without.lines, 'Tunnel')).toMatchObject({
      level: 'failed',
      text: 'The proxy answers `407 Proxy Authentication Required` to `models.invalid:80`.',
      next: expect.stringContaining('The proxy requires a user name and password') as string,
    });
    const wrong = { proxy: address, proxyAuthorization: 'Basic eA==' };
    const refused = await checkConnection('http://models.invalid/v1', wrong);
    expect(lineOf(refused.lines, 'Tunnel').next).toContain('The proxy refuses the user');
    expect(
      (await checkConnection('http://models.invalid', { proxy: address, proxyAuthorization: AUTHORIZATION }))
        .isReached,
    ).toBe(true);
    const inAddress = await checkConnection('http://models.invalid', {
      proxy: address.replace('//', '//canary-user:canary-pass@'),
    });
    expect(inAddress.isReached).toBe(true);
    expect(JSON.stringify([inAddress, refused, without])).not.toContain('canary');
  });

  test('reports the certificate of a proxy that uses TLS', async () => {
    await using server = await startTlsServer(MODELS);
    await using proxy = await startProxy(server.port, { isSecure: true });
    const address = `https://localhost:${proxy.address.split(':')[1]}`;
    const { lines, isReached } = await checkConnection(`https://localhost:${server.port}`, {
      proxy: address,
      ca: [CERTIFICATE],
    });
    expect(isReached).toBe(true);
    expect(outline(lines).slice(-5)).toEqual([
      'ok TLS of the proxy',
      'ok Certificate of the proxy',
      'ok Tunnel',
      'ok TLS',
      'ok Certificate',
    ]);
    const refused = await checkConnection('http://models.invalid', { proxy: address });
    expect(lineOf(refused.lines, 'TLS of the proxy')).toMatchObject({ level: 'failed' });
    await using plain = await startProxy(server.port);
    const confused = await checkConnection('http://models.invalid', { proxy: `https://${plain.address}` });
    expect(lineOf(confused.lines, 'TLS of the proxy').next).toContain('`http.proxy`');
  });

  test('reports a proxy that is down, is not a proxy, or does not speak HTTP', async () => {
    const down = await checkConnection('http://models.invalid', { proxy: 'http://127.0.0.1:9' });
    expect(lineOf(down.lines, 'Connection to the proxy')).toMatchObject({ level: 'failed' });
    expect(lineOf(down.lines, 'Connection to the proxy').next).toContain('`http.noProxy`');
    await using server = await startTlsServer(MODELS);
    const other = await checkConnection('http://models.invalid', {
      proxy: `http://127.0.0.1:${server.port}`,
    });
    expect(lineOf(other.lines, 'Tunnel')).toMatchObject({ level: 'failed' });
    const socks = await checkConnection('http://models.invalid', { proxy: 'socks5://canary:pass@corp:1080' });
    expect(lineOf(socks.lines, 'Proxy')).toMatchObject({ level: 'failed' });
    expect(JSON.stringify(socks.lines)).not.toContain('canary');
  });
});

describe('the connection through TLS', () => {
  test('to a server of a trusted authority names the certificate chain', async () => {
    await using server = await startTlsServer(MODELS);
    const { lines, isReached } = await checkConnection(`https://localhost:${server.port}`, {
      ca: [CERTIFICATE],
    });
    expect(isReached).toBe(true);
    expect(lineOf(lines, 'TLS')).toMatchObject({
      level: 'ok',
      text: expect.stringMatching(
        /^TLSv1\.3, trusted by 1 certificate of this machine and of Node\.$/,
      ) as string,
    });
    expect(lineOf(lines, 'Certificate')).toMatchObject({
      level: 'ok',
      text: expect.stringMatching(
        /^`localhost`, issued by `localhost`, valid until 2\d{3}-\d\d-\d\d\.$/,
      ) as string,
    });
    expect(server.requests).toEqual([]);
  });

  test('to a server with a self-signed certificate fails, with the next step', async () => {
    await using server = await startTlsServer(MODELS);
    const { lines, isReached } = await checkConnection(`https://localhost:${server.port}`, {});
    expect(isReached).toBe(false);
    expect(lineOf(lines, 'TLS')).toMatchObject({
      level: 'failed',
      text: 'TLSv1.3, not trusted: the certificate is self-signed (`DEPTH_ZERO_SELF_SIGNED_CERT`).',
      next: expect.stringContaining('http.systemCertificates') as string,
    });
    const lax = await checkConnection(`https://localhost:${server.port}`, { rejectUnauthorized: false });
    expect(lax.isReached).toBe(true);
    expect(lineOf(lax.lines, 'TLS').level).toBe('warning');
  });

  test('to a server whose certificate is for another name fails and says so', async () => {
    await using server = await startTlsServer(MODELS);
    await using proxy = await startProxy(server.port);
    const network = { ca: [CERTIFICATE], proxy: `http://${proxy.address}` };
    const { lines } = await checkConnection('https://models.invalid', network);
    expect(lineOf(lines, 'TLS')).toMatchObject({
      level: 'failed',
      text: expect.stringContaining('for another name') as string,
      next: expect.stringContaining('`host`') as string,
    });
  });

  test('to a server whose certificate expires soon or has expired is a warning', async () => {
    await using server = await startTlsServer(MODELS);
    const host = `https://localhost:${server.port}`;
    const first = await checkConnection(host, { ca: [CERTIFICATE] });
    const [, day = ''] = /until (\S+)\./.exec(lineOf(first.lines, 'Certificate').text) ?? [];
    const eve = new Date(Date.parse(day) - 24 * 60 * 60 * 1000).toISOString();
    const soon = await checkConnection(host, { ca: [CERTIFICATE] }, { now: eve });
    expect(lineOf(soon.lines, 'Certificate')).toMatchObject({
      level: 'warning',
      next: expect.stringMatching(/^The certificate expires in [012] days?: renew it\.$/) as string,
    });
    const later = new Date(Date.parse(day) + 2 * 24 * 60 * 60 * 1000).toISOString();
    const late = await checkConnection(host, { ca: [CERTIFICATE] }, { now: later });
    expect(lineOf(late.lines, 'Certificate').next).toBe('The certificate has expired: renew it.');
  });

  test('to a server that speaks plain HTTP fails and says so', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, MODELS));
    const { lines } = await checkConnection(server.url.replace('http:', 'https:'), {});
    expect(lineOf(lines, 'TLS')).toMatchObject({
      level: 'failed',
      next: expect.stringContaining('`http://`') as string,
    });
  });
});

describe('the connection to localhost', async () => {
  // Below the ports that are given to servers that ask for any: one of them may listen on 127.0.0.1 beside this test.
  const anyPort = 20_000 + Math.floor(Math.random() * 10_000);
  const listener = createServer((_, response) => sendJson(response, 200, MODELS)).listen(anyPort, '::1');
  const hasIpv6 = await once(listener, 'listening').then(
    () => true,
    () => false,
  );
  const port = hasIpv6 ? (listener.address() as AddressInfo).port : 0;
  afterAll(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const lineTexts = ({ lines }: { lines: DiagnosisLine[] }): string[] =>
    lines.flatMap(({ level, name, text }) => (/^Name$|Conn/.test(name) ? [`${level} ${name}: ${text}`] : []));

  test.skipIf(!hasIpv6)('uses ::1 if that is its only address', async () => {
    const way = await withNames({ localhost: ['::1'] }, () =>
      checkConnection(`http://localhost:${port}/v1`, {}),
    );
    expect(lineTexts(way)).toEqual([
      'ok Name: `localhost` is `::1`.',
      `ok Connection: \`[::1]:${port}\` answers.`,
    ]);
    expect(way.isReached).toBe(true);
  });

  test.skipIf(!hasIpv6)('names each address that was tried when only ::1 answers', async () => {
    const way = await withNames({ localhost: ['127.0.0.1', '::1'] }, () =>
      checkConnection(`http://localhost:${port}/v1`, {}),
    );
    expect(lineTexts(way)).toEqual([
      'ok Name: `localhost` is `127.0.0.1`, `::1`.',
      `warning Connection: \`127.0.0.1:${port}\` refuses the connection: nothing listens there (ECONNREFUSED).`,
      `ok Connection: \`[::1]:${port}\` answers.`,
    ]);
    expect(way.isReached).toBe(true);
  });

  test.skipIf(!hasIpv6)(
    'fails if its only address is 127.0.0.1, and names the server that answers on ::1',
    async () => {
      const { lines, isReached } = await withNames({ localhost: ['127.0.0.1'] }, () =>
        checkConnection(`http://localhost:${port}/v1`, {}),
      );
      expect(isReached).toBe(false);
      const { level, next } = lineOf(lines, 'Connection');
      expect([level, next]).toEqual([
        'failed',
        `A server answers at \`http://[::1]:${port}/v1\`: set \`host\` to \`http://[::1]:${port}/v1\`, or let it listen on every address (Ollama: \`OLLAMA_HOST=0.0.0.0\`).`,
      ]);
    },
  );
});

describe('a server of this machine that is down', () => {
  const local = (label: string, port: number, product: KnownServer['product']): KnownServer => ({
    label,
    kind: 'local',
    host: `http://127.0.0.1:${port}`,
    source: '',
    ...(product && { product }),
  });
  const nextWith = async (...servers: KnownServer[]): Promise<string | undefined> => {
    const { lines } = await checkConnection('http://127.0.0.1:9', {}, { servers });
    return lineOf(lines, 'Connection').next;
  };

  test('is named as the product that answered there before, whatever usually has its port', async () => {
    const nextAfter = async (before: KnownServer) => {
      const servers = [local('LM Studio', 9, 'lm-studio')];
      const { lines } = await checkConnection('http://127.0.0.1:9', {}, { servers, before });
      return lineOf(lines, 'Connection').next;
    };
    expect(await nextAfter(local('llama-server', 8_080, 'llama-server'))).toBe(
      'Start llama-server, which answered there before, or correct `host`.',
    );
    expect(await nextAfter(local('Ollama', 11_434, 'ollama'))).toContain('`ollama serve`');
  });

  test('is named by its usual port, and Ollama alone is started by its command', async () => {
    expect(await nextWith(local('Ollama', 11_434, 'ollama'))).toContain('`ollama serve`');
    const studio = local('LM Studio', 9, 'lm-studio');
    expect(await nextWith(local('vLLM', 8_000, 'vllm'), studio)).toContain('LM Studio usually listens');
    expect(await nextWith(local('vLLM', 8_000, 'vllm'), local('Other', 8_001, undefined))).toMatch(
      /^Start the server, or correct `host`\./,
    );
  });
});
