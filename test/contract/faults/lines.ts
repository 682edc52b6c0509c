// Streams as raw text, and rows of the fault matrix that send them whether or not a stream was requested.
import type { Expected, Fault } from './fault';
import { fails } from './fault';
import type { Peer } from './peer';
import { sends } from './peer';

export const noEnd = fails('truncated-stream', 3, [
  'The stream ended without its end mark',
  '0 characters had arrived',
]);

/** Nothing is retried once a part of the stream was delivered. */
export const brokenAfterWords = (attempts: number): Expected =>
  fails('truncated-stream', attempts, '2 characters had arrived', { partial: { content: 'fi' } });

/** Pieces of a stream in both protocols. */
export interface Lines {
  local: string;
  hosted: string;
}

export const FI: Lines = {
  local: '{"message":{"content":"fi"},"done":false}\n',
  hosted: 'data: {"choices":[{"index":0,"delta":{"content":"fi"}}]}\n\n',
};
export const NE: Lines = {
  local: '{"message":{"content":"ne"},"done":true,"done_reason":"stop"}\n',
  hosted:
    'data: {"choices":[{"index":0,"delta":{"content":"ne"}}]}\n\n' +
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
};
export const ERROR: Lines = {
  local: '{"error":"the runner stopped"}\n',
  hosted: 'data: {"error":{"message":"the runner stopped"}}\n\n',
};

export const both = (text: string): Lines => ({ local: text, hosted: text });

const sendsLines = (...parts: readonly Lines[]): Fault['serve'] =>
  sends((peer: Peer) => parts.map((part) => peer.by(part)).join(''));

export const stream = (
  name: string,
  parts: readonly Lines[],
  expected: Expected,
  except: Fault['except'] = {},
): Fault => ({
  name,
  serve: sendsLines(...parts),
  expected,
  except,
});
