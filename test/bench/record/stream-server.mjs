// A model server in a process of its own: answers every request with a stream of small events, one at a time.
import { createServer } from 'node:http';

const [pieces, everyMs] = process.argv.slice(2).map(Number);
const choices = [{ index: 0, delta: { content: ' word' }, finish_reason: null }];
const EVENT = `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm', choices })}\n\n`;

// A connection is kept for longer than the turn of the other client takes.
const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let left = pieces;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return void response.write(EVENT);
      clearInterval(timer);
      response.end('data: [DONE]\n\n');
    }, everyMs);
    response.write(EVENT);
    response.on('close', () => clearInterval(timer));
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume(); // ends with its parent process
