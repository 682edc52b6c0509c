// Gives a class the name that messages contain, because a bundler that minifies renames the class itself.

/** To be called in a static block. It declares no property, so subclasses may have a static `name` of any type. */
export function keepName(ownClass: object, name: string): void {
  Object.defineProperty(ownClass, 'name', { value: name, configurable: true });
}
