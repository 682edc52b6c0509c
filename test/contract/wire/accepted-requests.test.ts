// For every recorded request that a real server accepted: the providers send an equal body.
import { afterAll, describe, expect, test } from 'vitest';
import { closeConnections } from '../../../src/library';
import { readRecorded } from '../../support/messages/recorded';
import { ACCEPTED, isChat, isOwnRoute, send, startRecordingServer } from './accepted-requests';
import { Inexpressible } from './neutral-input';
import { OTHER_ROUTES, NOT_EXPRESSIBLE, OVERRIDDEN, REQUEST_DIFFERENCES } from './request-differences';

const unreachable = NOT_EXPRESSIBLE.flatMap(({ recordings, ...why }) =>
  recordings.map((name) => ({ name, ...why })),
);
const excluded = new Set([...unreachable.map(({ name }) => name), ...Object.keys(OTHER_ROUTES)]);
const compared = ACCEPTED.filter((name) => !excluded.has(name));

const differencesOf = (name: string) =>
  REQUEST_DIFFERENCES.filter(({ recordings }) => recordings.includes(name));

afterAll(closeConnections);

describe('the body of a request', () => {
  test.each(compared)('equals what the server accepted: %s', async (name) => {
    const recorded = readRecorded(name);
    let expected = recorded.request.body as Record<string, unknown>;
    for (const { ours, reason } of differencesOf(name)) {
      const before = expected;
      expected = ours(before);
      // A difference without effect must be removed from the list.
      expect(expected, reason).not.toEqual(before);
    }
    await using server = await startRecordingServer(recorded);
    const error = await send(recorded, server.url);
    const request = server.requests.at(-1);
    expect(request).toMatchObject({ method: 'POST', url: recorded.request.path });
    expect(request?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(request?.body ?? 'null')).toEqual(expected);
    // Nothing that neutral input can express was sent by way of raw.
    if (isChat(recorded)) expect(error.exchange?.overridden).toEqual(OVERRIDDEN[name] ?? []);
  });

  test.each(unreachable)('cannot express $missing, as in $name: $reason', async ({ name, missing }) => {
    const attempt = send(readRecorded(name), 'http://127.0.0.1:9');
    await expect(attempt).rejects.toThrow(new Inexpressible(missing));
  });
});

describe('the recorded requests', () => {
  test('are all compared or excluded by name, and most of them are compared', () => {
    expect(compared.length).toBeGreaterThan(175);
    const known = new Set(ACCEPTED);
    const named = [
      ...excluded,
      ...REQUEST_DIFFERENCES.flatMap(({ recordings }) => recordings),
      ...Object.keys(OVERRIDDEN),
    ];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const otherRoutes = ACCEPTED.map(readRecorded).filter((recorded) => !isOwnRoute(recorded));
    expect(otherRoutes.map(({ request }) => request.path).toSorted()).toEqual(
      Object.values(OTHER_ROUTES).toSorted(),
    );
  });

  test('are compared on every route of both protocols', () => {
    const paths = new Set(compared.map((name) => readRecorded(name).request.path));
    expect([...paths].toSorted()).toEqual([
      '/api/chat',
      '/api/embed',
      '/api/embeddings',
      '/chat/completions',
      '/v1/chat/completions',
      '/v1/embeddings',
    ]);
  });
});
