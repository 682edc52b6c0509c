// Serves a page of the extension to a plain browser, with what the editor gives a page: its files, the look of a theme, and a
// connection to the host. Independent of the host behind it.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN_FILES = ['host-connection.js', 'host-worker.js'].map((name) =>
  fileURLToPath(new URL(`page/${name}`, import.meta.url)),
);
const TYPES = { js: 'text/javascript', css: 'text/css' };

/** The style sheet that VS Code adds to each page, and its themes. Recorded by a test in VS Code. */
const look = JSON.parse(readFileSync(new URL('../../fixtures/editor-look.json', import.meta.url), 'utf8'));

export const { themes } = look;

const inAttribute = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The script that connects a page to the host. */
export const CONNECTION = '<script src="/host-connection.js"></script>';

/**
 * Adds to a page what VS Code adds before it loads one: as there, it comes before the content security policy, which therefore
 * does not apply to it.
 */
function inEditor(html, { theme, head }) {
  const { bodyClass, kind, variables } = themes[theme];
  const style = Object.entries(variables).map(([name, value]) => `${name}: ${value};`);
  return html
    .replace('<html', () => `<html style="${inAttribute(style.join(' '))}"`)
    .replace('<head>', () => `<head><style>${look.style}</style>${head}`)
    .replace('<body', () => `<body class="${bodyClass}" data-vscode-theme-kind="${kind}"`);
}

export async function servePage({ dist, files = [], html, head = CONNECTION, receive }) {
  const own = new Map([...OWN_FILES, ...files].map((path) => [basename(path), path]));
  let events;
  const sendFile = (response, name) => {
    const type = TYPES[name.split('.').at(-1)];
    if (type === undefined || name.includes('/')) response.writeHead(404).end();
    else
      response.writeHead(200, { 'content-type': type }).end(readFileSync(own.get(name) ?? join(dist, name)));
  };
  const accept = async (request, response) => {
    const chunks = await request.toArray();
    // Before the frame is answered: the page sends the next one only then.
    response.end();
    receive(JSON.parse(Buffer.concat(chunks).toString()));
  };
  const server = createServer((request, response) => {
    const name = request.url.slice(1);
    if (name === '') {
      const page = inEditor(html(), { theme: Object.keys(themes)[0], head });
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    } else if (name === 'request') void accept(request, response);
    else if (name === 'events') {
      events = response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      events.flushHeaders();
    } else sendFile(response, name);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    post: (lines) => void events?.write(lines),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
