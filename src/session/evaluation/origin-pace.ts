// How fast one origin may be asked: how many samples at once, and when none. All evaluations of a window share it, because a server
// that asks for a pause asks all of them. Knows no sample.
import type { RequestGate } from '../request-gate';

/** Number of samples without a 429 after which one more may be under way. */
const CLEAN_SAMPLES = 20;

type Gate = Pick<RequestGate, 'limitOf'>;

const known = new WeakMap<Gate, Map<string, OriginPace>>();

/** @param gate That of the window. */
export function paceOf(name: string, gate: Gate): OriginPace {
  const paces = known.get(gate) ?? new Map<string, OriginPace>();
  known.set(gate, paces);
  const pace = paces.get(name) ?? new OriginPace(name, gate);
  paces.set(name, pace);
  return pace;
}

export class OriginPace {
  readonly #name: string;
  readonly #gate: Gate;
  /** Of the evaluations that have samples to send: called when one of the others has ended. */
  readonly #turns = new Map<object, () => void>();
  #underWay = 0;
  /** How many may be under way; the limit of the gate counts, too. */
  #limit = Number.POSITIVE_INFINITY;
  #clean = 0;
  #cutAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds of the clock's `now`. */
  pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(name: string, gate: Gate) {
    this.#name = name;
    this.#gate = gate;
  }

  mayStart(now: number): boolean {
    return this.#underWay < this.#mostAtOnce && now >= this.pausedUntil;
  }

  get #mostAtOnce(): number {
    return Math.min(this.#limit, this.#gate.limitOf(this.#name));
  }

  /** @param onTurn Called when it may start a sample because one of another evaluation has ended. */
  join(member: object, onTurn: () => void): void {
    this.#turns.set(member, onTurn);
  }

  /** The last one takes the limit with it, but not the pause. */
  leave(member: object): void {
    this.#turns.delete(member);
    if (this.#turns.size > 0) return;
    this.#limit = Number.POSITIVE_INFINITY;
    this.#clean = 0;
  }

  begin(): void {
    this.#underWay++;
  }

  /** The others go first, the one that has waited longest before all. @param since When the sample began. */
  finish(
    member: object,
    { isLimited, since, now }: { isLimited: boolean; since: number; now: number },
  ): void {
    this.#underWay--;
    if (isLimited) this.cut(since, now);
    else if (++this.#clean >= CLEAN_SAMPLES) {
      this.#clean = 0;
      this.#limit++;
    }
    this.#goLast(member);
    // A copy, because those that get their turn go to the end.
    const others = [...this.#turns];
    for (const [other, onTurn] of others) {
      if (other === member || !this.mayStart(now)) continue;
      this.#goLast(other);
      onTurn();
    }
  }

  #goLast(member: object): void {
    const onTurn = this.#turns.get(member);
    if (this.#turns.delete(member) && onTurn) this.#turns.set(member, onTurn);
  }

  /** Halves the limit, once for all requests that were under way together. */
  cut(since: number, now: number): void {
    this.#clean = 0;
    if (since <= this.#cutAt) return;
    this.#cutAt = now;
    this.#limit = Math.max(1, Math.floor(this.#mostAtOnce / 2));
  }

  pause(until: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, until);
  }
}
