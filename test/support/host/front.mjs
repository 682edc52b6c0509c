// The only door to the VS Code server. The server itself has no log-in, answers any Host header (so a web page could reach
// it by DNS rebinding) and any user of this machine. So it listens on a private Unix socket, and this front, on 127.0.0.1,
// lets in only who knows the token of the printed address.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';

const secret = () => randomBytes(32).toString('base64url');

/** Why a request is not let in, as a status; undefined when it is let in. */
function refusal({ headers }, { hosts, cookie, isUpgrade }) {
  if (!hosts.includes(headers.host)) return 421;
  if (!(headers.cookie ?? '').split('; ').includes(cookie)) return 403;
  // browsers send Origin with every WebSocket, and with every request but GET and HEAD
  const isSameOrigin = headers.origin === `http://${headers.host}`;
  return !isSameOrigin && (isUpgrade || headers.origin) ? 403 : undefined;
}

/** Where to go with the token taken off, if the request brought the right one. */
function enter({ url, headers }, { hosts, token, home }) {
  const [path, query] = url.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  if (path !== '/' || params.get('tkn') !== token || !hosts.includes(headers.host)) return undefined;
  params.delete('tkn');
  return params.size ? `/?${params}` : home;
}

function forwardRequest(request, response, socketPath) {
  const { method, url, headers } = request;
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
    for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
    forward.write(`${lines.join('\r\n')}\r\n\r\n`);
    forward.write(head);
    socket.pipe(forward).pipe(socket);
  });
  for (const event of ['error', 'close']) forward.on(event, () => socket.destroy());
  socket.on('close', () => forward.destroy());
}

/** `port` 0: any free one. `home`: where the bare address with the token leads. */
export async function startFront({ socketPath, port = 0, home = '/' }) {
  const token = secret();
  const door = { token, home, hosts: [], cookie: '' };

  const server = http.createServer((request, response) => {
    const location = enter(request, door);
    if (location !== undefined) {
      // from now on the cookie counts, so that the token leaves the address bar and the history
      const cookie = `${door.cookie}; Path=/; HttpOnly; SameSite=Strict`;
      response.writeHead(303, { location, 'set-cookie': cookie, 'cache-control': 'no-store' }).end();
      return;
    }
    const status = refusal(request, { ...door, isUpgrade: false });
    if (!status) return forwardRequest(request, response, socketPath);
    response.writeHead(status, { 'content-type': 'text/plain' });
    response.end('Open the address that was printed in the terminal.\n');
  });

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const status = refusal(request, { ...door, isUpgrade: true });
    if (!status) return forwardUpgrade(request, socket, head, socketPath);
    // destroyed, because the other side may leave a refused socket half open for good
    socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`, () => socket.destroy());
  });

  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const bound = server.address().port;
  door.hosts = [`127.0.0.1:${bound}`, `localhost:${bound}`];
  door.cookie = `vscode-host-${bound}=${secret()}`; // cookies ignore ports: hence its name
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${bound}`, token, close };
}
