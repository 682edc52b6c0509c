// Declarations as the text of a `style` property. The content security policy allows no style attributes, but properties.

/** Such as `left: 20%; width: 5%`. */
export const cssText = (declarations: Readonly<Record<string, string | number>>): string =>
  Object.entries(declarations)
    .map(([name, value]) => [name, value].join(': '))
    .join('; ');
