/** The aisles that a shop's range is made of: the departments, by Google's id, that are sold together. */

export const AISLES = {
  electronics: [267, 543626, 328, 305, 152, 249, 303, 304],
  kitchen: [736, 751, 762, 4721, 662, 665],
  home: [619, 1217],
  play: [1254, 1246],
  care: [490, 527, 2844],
  office: [2045, 543609, 961],
  food: [1868, 2073],
  outdoors: [1026, 3640, 1022, 100],
  baby: [541, 568],
  pets: [3530],
} as const satisfies Record<string, readonly number[]>;

export type Aisle = keyof typeof AISLES;

export const EVERY_AISLE: readonly Aisle[] = [
  'electronics',
  'kitchen',
  'home',
  'play',
  'care',
  'office',
  'food',
  'outdoors',
  'baby',
  'pets',
];

/** Whether one of the aisles holds the department with this id. */
export function holds(aisles: readonly Aisle[], category: number): boolean {
  return aisles.some((aisle) => AISLES[aisle].some((each) => each === category));
}
