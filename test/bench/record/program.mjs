// The program whose requests are forwarded, in a process of its own, so that only the forwarding counts in the other one. Sends
// as many requests at once as it is told, and says how long each took until its first byte, in milliseconds.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });
const BODY = JSON.stringify({
  model: 'm',
  stream: true,
  messages: [{ role: 'user', content: 'What is the weather in Oslo? '.repeat(40) }],
});
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) };

const ask = (url) =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    let firstMs;
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.on('data', () => (firstMs ??= performance.now() - start));
      response.on('end', () => resolve(firstMs));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(BODY);
  });

process.on('message', ({ url, atOnce }) => {
  void Promise.all(Array.from({ length: atOnce }, () => ask(url))).then((times) => process.send(times));
});
process.on('disconnect', () => process.exit());
