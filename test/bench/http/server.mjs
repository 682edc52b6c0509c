// The loopback server in a process of its own. Uses raw sockets and prepared responses, so that it is never the
// bottleneck. POST /<reply>/… returns that reply; `held` waits until GET /release; GET /held returns the number of
// waiting requests.
import { createServer } from 'node:net';
import { ANSWERS, toAnswer } from './replies.mjs';

const held = [];

function answer(socket, path) {
  const [, name] = path.split('/');
  const [, answers] = Object.entries(ANSWERS).find(([end]) => path.endsWith(end)) ?? [];
  if (name === 'held') {
    if (path === '/held') socket.write(toAnswer(String(held.length)));
    else held.push({ socket, reply: answers.small });
  } else if (name === 'release') {
    for (const { socket: waiting, reply } of held.splice(0)) waiting.write(reply);
    socket.write(toAnswer('released'));
  } else {
    socket.write(answers[name]);
  }
}

/** Takes complete requests off the received bytes. A body must have a `content-length`, as all clients here send it. */
function takeRequests(socket, arrived) {
  let rest = arrived;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    const head = rest.latin1Slice(0, end);
    const [, length = '0'] = /^content-length: *(\d+)/im.exec(head) ?? [];
    const next = end + 4 + Number(length);
    if (rest.length < next) return rest;
    rest = rest.subarray(next);
    answer(socket, head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/')));
  }
}

const server = createServer({ noDelay: true }, (socket) => {
  let rest = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    rest = takeRequests(socket, rest.length > 0 ? Buffer.concat([rest, data]) : data);
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume(); // ends with its parent process
