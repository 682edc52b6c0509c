// Finds the fields of one type that another type does not have. Types only; independent of protocols.

/** Compiles only if all of `Some` is in `All`; otherwise the error names the rest. */
export type Within<All, Some extends All> = Some;

/**
 * The paths of the fields of `Ours` that `Theirs` lacks, like `messages[].tool_calls[].id`; `never` if it has all. A value
 * that is not assignable at all counts as one unknown path. If `Theirs` is a union, only the members that `Ours` is
 * assignable to count.
 */
export type UnknownPaths<Ours, Theirs, Path extends string = ''> = Ours extends Primitive
  ? Ours extends Theirs
    ? never
    : Path
  : Ours extends readonly (infer Item)[]
    ? UnknownPaths<Item, ItemOf<Theirs>, `${Path}[]`>
    : [MatchOf<Ours, Theirs>] extends [never]
      ? Path
      : UnknownKeys<Ours, MatchOf<Ours, Theirs>, Path extends '' ? '' : `${Path}.`>;

type Primitive = string | number | boolean | null | undefined;

/** Distributes over the members of both unions, so that each is compared separately. */
type MatchOf<Ours, Theirs> = Theirs extends unknown ? (Ours extends Theirs ? Theirs : never) : never;
type ItemOf<Theirs> = Theirs extends readonly (infer Item)[] ? Item : never;
type ValueOf<Theirs, Key> = Theirs extends unknown ? (Key extends keyof Theirs ? Theirs[Key] : never) : never;

/** Objects with free keys (a JSON Schema, the arguments of a call) have no unknown keys. */
type UnknownKeys<Ours, Theirs, Prefix extends string> = string extends keyof Ours
  ? never
  : {
      [Key in keyof Ours & string]-?: [ValueOf<Theirs, Key>] extends [never]
        ? `${Prefix}${Key}`
        : UnknownPaths<NonNullable<Ours[Key]>, ValueOf<Theirs, Key>, `${Prefix}${Key}`>;
    }[keyof Ours & string];
