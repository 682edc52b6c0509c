// Collects the repairs that are made while one value is read. Independent of grammars.
import type { RescueRepair } from '../../../types';

// A megabyte of damaged text must not produce a hundred thousand notes.
const MAX_PER_KIND = 32;

export class RepairLog {
  readonly repairs: RescueRepair[] = [];
  /** Kinds of which there are as many notes as allowed. */
  #full: Set<string> | undefined;

  add(kind: string, at: number, note?: string): void {
    if (this.#full?.has(kind) === true) return;
    this.repairs.push(note === undefined ? { kind, at } : { kind, at, note });
    if (this.repairs.length >= MAX_PER_KIND && this.#isFull(kind)) (this.#full ??= new Set()).add(kind);
  }

  addAll(repairs: readonly RescueRepair[]): void {
    for (const { kind, at, note } of repairs) this.add(kind, at, note);
  }

  #isFull(kind: string): boolean {
    return this.repairs.filter((repair) => repair.kind === kind).length >= MAX_PER_KIND;
  }
}
