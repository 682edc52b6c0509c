// Reverse proxy, and the only way to the VS Code server. The server itself has no login and accepts any Host
// header (so a web page could reach it by DNS rebinding) and any user of this machine. It therefore listens on a
// private Unix socket, and this proxy on the loopback addresses admits only clients that know the token of the
// printed URL.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';

const secret = () => randomBytes(32).toString('base64url');

/**
 * Whether the request comes from a page of this origin or from the address bar. A page of the same host name on
 * another port is `same-site` and would send the cookie, too. Without the header, Origin is checked instead.
 */
function comesFromHere({ method, headers }) {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': target } = headers;
  if (site === 'none') return method === 'GET' && mode === 'navigate' && target === 'document';
  return site === undefined || site === 'same-origin';
}

/** HTTP status for refusing a request; undefined if it is allowed. */
function refusal(request, { host, cookie, isUpgrade }) {
  const { headers } = request;
  if (headers.host !== host) return 421;
  if (!(headers.cookie ?? '').split('; ').includes(cookie) || !comesFromHere(request)) return 403;
  // Browsers send Origin with every WebSocket and with every request except GET and HEAD. With those, every
  // browser that supports VS Code sends Sec-Fetch-Site to a localhost name.
  const isSameOrigin = headers.origin === `http://${host}`;
  const needsOrigin = isUpgrade || headers.origin || headers['sec-fetch-site'] === undefined;
  return needsOrigin && !isSameOrigin ? 403 : undefined;
}

/** Redirect target without the token if the request has the right one, otherwise undefined. */
function enter(request, { host, token, home }) {
  const [path, query] = request.url.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  if (path !== '/' || params.get('tkn') !== token) return undefined;
  if (request.headers.host !== host || !comesFromHere(request)) return undefined;
  params.delete('tkn');
  return params.size ? `/?${params}` : home;
}

// Between processes of one machine, compression would only cost time: the server compresses some 20 MB for each first load.
const UNCOMPRESSED = 'identity';
/** The only extension that browsers offer compresses messages. */
const COMPRESSION = 'sec-websocket-extensions';

function forwardRequest(request, response, socketPath) {
  const { method, url } = request;
  const headers = { ...request.headers, 'accept-encoding': UNCOMPRESSED };
  const forward = http.request({ socketPath, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.rawHeaders);
    answer.pipe(response);
  });
  forward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.on('close', () => forward.destroy());
  request.pipe(forward);
}

function forwardUpgrade(request, socket, head, socketPath) {
  const forward = net.connect(socketPath, () => {
    const { method, url, rawHeaders } = request;
    const lines = [`${method} ${url} HTTP/1.1`];
    for (let i = 0; i < rawHeaders.length; i += 2) {
      if (rawHeaders[i].toLowerCase() === COMPRESSION) continue;
      lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
    }
    forward.write(`${lines.join('\r\n')}\r\n\r\n`);
    forward.write(head);
    socket.pipe(forward).pipe(socket);
  });
  for (const event of ['error', 'close']) forward.on(event, () => socket.destroy());
  socket.on('close', () => forward.destroy());
}

/**
 * Listens on the port of both loopback addresses: a browser tries ::1 first, and the cookie would be sent to
 * whoever listens there. Without IPv6 only the other address is used.
 */
async function listenOnLoopback(servers, port) {
  const [first, second] = servers;
  const listen = (server, options) =>
    new Promise((resolve, reject) => server.once('error', reject).listen(options, resolve));
  await listen(first, { port, host: '127.0.0.1' });
  const bound = first.address().port;
  await listen(second, { port: bound, host: '::1', ipv6Only: true }).catch((error) => {
    if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code)) throw error;
  });
  return bound;
}

function closeServer(server) {
  server.close();
  server.closeAllConnections();
}

/**
 * `name`: the origin is `<name>.localhost`, which only this proxy serves: cookies ignore ports, so under 127.0.0.1
 * every local page would receive ours. `port`: 0 means any free port. `home`: where the bare URL with the token
 * leads.
 */
export async function startFront({ socketPath, name, port = 0, home = '/' }) {
  const token = secret();
  const door = { token, home, host: '', cookie: '' };

  const answer = (request, response) => {
    const location = enter(request, door);
    if (location !== undefined) {
      // The cookie replaces the token, which then leaves the address bar and the history.
      const cookie = `${door.cookie}; Path=/; HttpOnly; SameSite=Strict`;
      response.writeHead(303, { location, 'set-cookie': cookie, 'cache-control': 'no-store' }).end();
      return;
    }
    const status = refusal(request, { ...door, isUpgrade: false });
    if (!status) return forwardRequest(request, response, socketPath);
    response.writeHead(status, { 'content-type': 'text/plain' });
    response.end('Copy the address that was printed in the terminal into the address bar.\n');
  };

  const upgrade = (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const status = refusal(request, { ...door, isUpgrade: true });
    if (!status) return forwardUpgrade(request, socket, head, socketPath);
    // Destroyed, because the client may leave a refused socket half open for ever.
    socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`, () => socket.destroy());
  };

  const servers = [1, 2].map(() => http.createServer(answer).on('upgrade', upgrade));
  const close = () => servers.forEach(closeServer);
  try {
    const bound = await listenOnLoopback(servers, port);
    door.host = `${name}.localhost:${bound}`;
    door.cookie = `vscode-host-${bound}=${secret()}`; // two proxies of one data folder have the same name on two ports
    return { url: `http://${door.host}`, token, close };
  } catch (error) {
    close();
    throw error;
  }
}
