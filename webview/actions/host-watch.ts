// Notices that the host no longer answers. After a crash of the extension host the page stays, its messages go nowhere, and
// nobody says so. A host that is silent while something is expected of it is asked for a reply. Knows no DOM.
import { t } from '@vscode/l10n';
import type { ErrorInfo, RpcClient } from '../../src/protocol';

/** A host that is silent for so long, though something was asked of it, is gone. */
const SILENCE_MS = 10_000;
/** How often it is looked for in that time. */
const LOOKS = 4;

export const HOST_GONE: ErrorInfo = {
  code: 'host-gone',
  get title() {
    return t('The extension does not answer');
  },
  get what() {
    return t('The extension does not answer any more. What you typed is kept.');
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
  /** Whether the host has something to tell, apart from replies. */
  isExpecting: () => boolean;
  onChange: (isGone: boolean) => void;
}

export class HostWatch {
  readonly #options: HostWatchOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  #received = 0;
  /** Looks in a row at which nothing had come, though something was expected. */
  #silentLooks = 0;
  #isGone = false;

  constructor(options: HostWatchOptions) {
    this.#options = options;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Watches for as long as something is expected of the host. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), SILENCE_MS / LOOKS);
  }

  #look(): void {
    const { client } = this.#options;
    const isHeard = client.received !== this.#received;
    this.#received = client.received;
    if (isHeard) this.#heard();
    else if (!this.#isGone) this.#missed();
  }

  #heard(): void {
    this.#silentLooks = 0;
    if (!this.#isGone) return;
    this.#isGone = false;
    this.#options.onChange(false);
  }

  #missed(): void {
    const { client, isExpecting, onChange } = this.#options;
    if (!client.isWaiting && !isExpecting()) return this.#stop();
    this.#silentLooks++;
    // a failure is a reply, too
    if (this.#silentLooks === 1) client.request('ping', {}).catch(() => undefined);
    if (this.#silentLooks <= LOOKS) return;
    this.#isGone = true;
    client.abandon(HOST_GONE);
    onChange(true);
  }

  #stop(): void {
    this.#silentLooks = 0;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
