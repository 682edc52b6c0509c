// The loopback server of a recording: takes the requests that come under its secret path, and passes each on to one server.
import { t } from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NetworkOptions } from '../library';
import { admit, toRoot } from './admit';
import { AfterStreams } from './after-streams';
import type { PassageOptions } from './passage';
import { Passage, refuse } from './passage';

const LOOPBACK = '127.0.0.1';
/** In bytes: nobody can guess it. */
const TOKEN_LENGTH = 16;
/** In bytes; servers take as much or less. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Longer than programs keep their connections: one that is closed while they send is an error that they would not have without. */
const KEEP_ALIVE_MS = 120_000;

export interface RecordingOptions {
  /** Base URL of the server, such as `http://127.0.0.1:8080/v1`. Requests go to its origin, whatever their path. */
  target: string;
  /** @default any that is free */
  port?: number | undefined;
  network?: NetworkOptions | undefined;
  /**
   * The key for programs that send none. Called at the first request that needs one, and only once.
   * @default none is added
   */
  findKey?: (() => Promise<string | undefined>) | undefined;
  /**
   * Asked for each request, so that it can be switched: whether calls that the model writes as text, or whose arguments are
   * damaged, are returned to the program as native calls.
   * @default they are passed on as they are
   */
  isRepairing?: (() => boolean) | undefined;
  /**
   * Called when an exchange has begun, when its response has begun, and when it has ended; the last one as soon as no stream
   * waits for it, and before `close` resolves. Must not throw.
   */
  onChange?: ((passage: Passage) => void) | undefined;
}

export interface Recording {
  /** To be used instead of the base URL of the server. */
  readonly address: string;
  /** Requests under it go to the server, whatever their path; without a slash at its end. */
  readonly root: string;
  /** Ends all exchanges at once. May be called again. */
  close: () => Promise<void>;
}

/** @throws TypeError for a target that is no http address; when the port is not free, the error of Node */
export async function startRecording(options: RecordingOptions): Promise<Recording> {
  const target = toTarget(options.target);
  const token = randomBytes(TOKEN_LENGTH).toString('base64url');
  const passages = new Set<Passage>();
  // A record is made of what has ended, which takes as long as passing on many pieces.
  const ended = new AfterStreams<Passage>((passage) => options.onChange?.(passage));
  const passOn = openPassages(options, target.origin, { passages, ended });
  const server = createServer(
    // Strict, whatever the program around it was started with: nothing that two parsers may understand in two ways is passed on.
    {
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      noDelay: true,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      const admitted = admit(request, token);
      response.sendDate = false;
      if (typeof admitted === 'string') passOn(request, response, admitted);
      else refuse(response, admitted.status, admitted.words);
    },
  );
  // A large upload may take any time.
  server.requestTimeout = 0;
  server.listen(options.port ?? 0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const root = `http://${LOOPBACK}:${port}${toRoot(token)}`;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const passage of passages) passage.stop();
    server.closeAllConnections();
    await closed;
    ended.finish();
  };
  return {
    address: root + target.pathname.replace(/\/+$/, ''),
    root,
    close: () => (closing ??= close()),
  };
}

type PassOn = (request: IncomingMessage, response: ServerResponse, path: string) => void;

function openPassages(
  options: RecordingOptions,
  origin: string,
  { passages, ended }: { passages: Set<Passage>; ended: AfterStreams<Passage> },
): PassOn {
  const { network, findKey, isRepairing = () => false, onChange } = options;
  let key: Promise<string | undefined> | undefined;
  let count = 0;
  const passing: PassageOptions = {
    origin,
    network,
    findKey: findKey && (() => (key ??= findKey())),
    isRepairing,
    onChange: (passage) => {
      if (passage.endMs === undefined) return onChange?.(passage);
      passages.delete(passage);
      ended.add(passage);
    },
  };
  return (request, response, path) => {
    count += 1;
    const passage = new Passage(request, response, { path, number: count }, passing);
    passages.add(passage);
    passage.begin();
  };
}

function toTarget(target: string): URL {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(t('The target is no http or https address.'));
  // They could not be passed on with every request, and a key among them would be shown.
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw new TypeError(t('The target must not contain a user name, a password or a query.'));
  return url;
}
