// Detects that the extension host no longer answers. After a crash of the host the page stays open and its
// messages are lost without an error. While something is expected of a silent host, this module sends a ping. Does
// not touch the DOM.
import { t } from '@vscode/l10n';
import type { ErrorInfo, RpcClient } from '../../src/protocol';

/** A host that was asked something and sends nothing for this long counts as gone, in milliseconds. */
const SILENCE_MS = 10_000;
/** Number of checks within that time. */
const CHECKS = 4;

export const HOST_GONE: ErrorInfo = {
  code: 'host-gone',
  get title() {
    return t('The extension does not answer');
  },
  get what() {
    return t('The extension no longer answers. Your text is kept.');
  },
  get why() {
    return t('The extension host of the editor has crashed, or is busy with something else.');
  },
  get next() {
    return t('Reload the window: Developer: Reload Window in the Command Palette.');
  },
};

export interface HostWatchOptions {
  client: RpcClient;
  /** Whether the host is about to send something other than a reply, such as the events of a run. */
  isExpecting: () => boolean;
  onChange: (isGone: boolean) => void;
}

export class HostWatch {
  readonly #options: HostWatchOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  #received = 0;
  /** Number of consecutive checks that found no new message although one was expected. */
  #silentChecks = 0;
  #isGone = false;

  constructor(options: HostWatchOptions) {
    this.#options = options;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Starts checking; it stops by itself when nothing is expected of the host any more. */
  start(): void {
    this.#timer ??= setInterval(() => this.#check(), SILENCE_MS / CHECKS);
  }

  #check(): void {
    const { client } = this.#options;
    const hasReceived = client.received !== this.#received;
    this.#received = client.received;
    if (hasReceived) this.#hostAnswered();
    else if (!this.#isGone) this.#hostWasSilent();
  }

  #hostAnswered(): void {
    this.#silentChecks = 0;
    if (!this.#isGone) return;
    this.#isGone = false;
    this.#options.onChange(false);
  }

  #hostWasSilent(): void {
    const { client, isExpecting, onChange } = this.#options;
    if (!client.isWaiting && !isExpecting()) return this.#stop();
    this.#silentChecks++;
    // An error reply shows that the host is alive as well.
    if (this.#silentChecks === 1) client.request('ping', {}).catch(() => undefined);
    if (this.#silentChecks <= CHECKS) return;
    this.#isGone = true;
    client.abandon(HOST_GONE);
    onChange(true);
  }

  #stop(): void {
    this.#silentChecks = 0;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
