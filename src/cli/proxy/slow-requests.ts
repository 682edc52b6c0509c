// Says once of each request that it takes long: its line comes when it has ended, and until then nothing would show that it came.
import { t } from '@vscode/l10n';
import { toLabel } from '../../inspect';
import type { Passage } from '../../recording';

const SLOW_MS = 10_000;

type Watched = Pick<Passage, 'number' | 'method' | 'path' | 'status' | 'endMs'>;

export class SlowRequests {
  readonly #say: (line: string) => void;
  /** By the number of the request. */
  readonly #timers = new Map<number, NodeJS.Timeout>();

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Called at each change of a request. */
  watch(passage: Watched): void {
    const { number, endMs } = passage;
    if (endMs !== undefined) {
      clearTimeout(this.#timers.get(number));
      this.#timers.delete(number);
    } else if (!this.#timers.has(number)) {
      this.#timers.set(number, setTimeout(() => this.#say(describe(passage)), SLOW_MS).unref());
    }
  }
}

function describe({ method, path, status }: Watched): string {
  const asked = `${toLabel(method)} ${toLabel(path.replace(/\?.*/s, ''))}`;
  return status === undefined
    ? t('{0}: no answer of the server for {1} s.', asked, SLOW_MS / 1000)
    : t('{0}: the reply is still arriving after {1} s.', asked, SLOW_MS / 1000);
}
