/** Additional demo creator, who isn't in examples/demo-program.yaml. */
export interface DemoCreator {
  name: string;
  code: string;
  /** Relative number of purchases with the code; 0 for none. */
  weight: number;
  tier?: 'Gold' | 'Silver';
  status?: 'Pending' | 'Removed';
}

/**
 * Code of the creator with a negative balance. The only purchase with this code was charged back after its
 * share had been paid.
 */
export const owingCode = 'BASIL';

export const mainCreators: readonly DemoCreator[] = [
  { name: 'Ember', code: 'EMBER', weight: 30, tier: 'Gold' },
  { name: 'Sable Frost', code: 'SABLE', weight: 24, tier: 'Gold' },
  { name: 'Juno', code: 'JUNO', weight: 20, tier: 'Gold' },
  { name: 'Rook & Pawn', code: 'ROOK', weight: 16, tier: 'Silver' },
  { name: 'Søren Ångström', code: 'SOREN', weight: 14, tier: 'Silver' },
  { name: '林小雨', code: 'XIAOYU', weight: 14, tier: 'Silver' },
  { name: 'Wren', code: 'WREN', weight: 12, tier: 'Silver' },
  { name: 'Pixel Pirate', code: 'PIXEL', weight: 10 },
  { name: 'Lumen', code: 'LUMEN', weight: 9 },
  { name: 'Tundra', code: 'TUNDRA', weight: 7 },
  { name: 'Vesper', code: 'VESPER', weight: 6 },
  { name: 'Onyx', code: 'ONYX', weight: 5 },
  { name: 'Marlow the Unreasonably Long-Winded', code: 'MARLOW', weight: 4 },
  { name: 'Fable', code: 'FABLE', weight: 3 },
  { name: 'Quill', code: 'QUILL', weight: 2 },
  { name: 'Indigo', code: 'INDIGO', weight: 1 },
  { name: 'Basil', code: owingCode, weight: 0 },
  { name: 'Harper', code: 'HARPER', weight: 0 },
  { name: 'Comet', code: 'COMET', weight: 0, status: 'Pending' },
  { name: 'Drift', code: 'DRIFT', weight: 0, status: 'Pending' },
  { name: 'Piper', code: 'PIPER', weight: 0, status: 'Pending' },
  { name: 'Saffron', code: 'SAFFRON', weight: 0, status: 'Pending' },
  { name: 'Hollow', code: 'HOLLOW', weight: 0, status: 'Removed' },
];

export const mobaCreators: readonly DemoCreator[] = [
  { name: 'Wisp', code: 'WISP', weight: 8 },
  { name: 'Gale', code: 'GALE', weight: 5 },
  { name: 'Thorne', code: 'THORNE', weight: 3 },
];

export const royaleCreators: readonly DemoCreator[] = [
  { name: 'Falcon', code: 'FALCON', weight: 9 },
  { name: 'Bramble', code: 'BRAMBLE', weight: 6 },
  { name: 'Ivory', code: 'IVORY', weight: 4 },
  { name: 'Titan', code: 'TITAN', weight: 2 },
  { name: 'Orbit', code: 'ORBIT', weight: 0, status: 'Pending' },
];
