// Collects the repairs that are made while one value is read. Independent of grammars.
import type { RescueRepair } from '../../../types';

// A megabyte of damaged text must not produce a hundred thousand notes.
const MAX_PER_KIND = 32;

export class RepairLog {
  readonly repairs: RescueRepair[] = [];
  #counts: Map<string, number> | undefined;

  add(kind: string, at: number, note?: string): void {
    this.#counts ??= new Map();
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count > MAX_PER_KIND) return;
    this.repairs.push(note === undefined ? { kind, at } : { kind, at, note });
  }
}
