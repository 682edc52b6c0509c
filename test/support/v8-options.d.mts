export const v8Options: string[];
