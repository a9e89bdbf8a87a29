// Random numbers that a seed repeats (mulberry32), and choices made with them.

let state = 0;

/** Starts a sequence: the same seed and number give the same choices on every machine. */
export const seed = (value, number) => {
  state = (Math.imul(value | 0, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) | 0;
};

export const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

export const below = (limit) => Math.floor(random() * limit);
export const pick = (values) => values[below(values.length)];
export const some = (most, make) => Array.from({ length: below(most + 1) }, make);
export const chance = (part) => random() < part;
