// Which fields of one type another type does not know. Types only; knows no protocol.

/** Compiles only when all of `Some` is in `All`, and otherwise names what is not. */
export type Within<All, Some extends All> = Some;

/**
 * The paths of the fields of `Ours` that `Theirs` has not, as `messages[].tool_calls[].id`; never when it has all. What is
 * not even assignable counts as unknown as a whole. Of a union in `Theirs` the members count that `Ours` is assignable to.
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

/** Spread over the members of both, so that each is asked for itself. */
type MatchOf<Ours, Theirs> = Theirs extends unknown ? (Ours extends Theirs ? Theirs : never) : never;
type ItemOf<Theirs> = Theirs extends readonly (infer Item)[] ? Item : never;
type ValueOf<Theirs, Key> = Theirs extends unknown ? (Key extends keyof Theirs ? Theirs[Key] : never) : never;

/** Free keys (a JSON Schema, the arguments of a call) are nobody's to know. */
type UnknownKeys<Ours, Theirs, Prefix extends string> = string extends keyof Ours
  ? never
  : {
      [Key in keyof Ours & string]-?: [ValueOf<Theirs, Key>] extends [never]
        ? `${Prefix}${Key}`
        : UnknownPaths<NonNullable<Ours[Key]>, ValueOf<Theirs, Key>, `${Prefix}${Key}`>;
    }[keyof Ours & string];
