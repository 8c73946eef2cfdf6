/** Products that the demo workspaces sell. */

export interface DemoProduct {
  name: string;
  sku: string;
  category: string;
  sale_price: string;
  purchase_price: string;
  /** Opening stock in the main warehouse. Undefined for services. */
  stock?: number;
  unit?: string;
  reduced_tax?: true;
  description?: string;
}

export const CATEGORIES = [
  { name: 'Furniture', color: '#b45309', children: ['Desks', 'Chairs', 'Storage'] },
  { name: 'Lighting', color: '#eab308', children: [] },
  { name: 'Electronics', color: '#2563eb', children: ['Screens', 'Accessories'] },
  { name: 'Stationery', color: '#16a34a', children: [] },
  { name: 'Services', color: '#7c3aed', children: [] },
];

type ProductRow = readonly [
  name: string,
  sku: string,
  category: string,
  sale: string,
  purchase: string,
  stock?: number,
];

const GOODS: readonly ProductRow[] = [
  ['Sit-stand desk Alto 160', 'DSK-160', 'Desks', '649.00', '372.00', 24],
  ['Sit-stand desk Alto 180', 'DSK-180', 'Desks', '719.00', '418.00', 18],
  ['Writing desk Linea', 'DSK-120', 'Desks', '289.00', '154.50', 30],
  ['Conference table Forum', 'TBL-240', 'Desks', '1190.00', '705.00', 6],
  ['Desk extension Wing', 'DSK-EXT', 'Desks', '149.00', '78.00', 20],
  ['Office chair Motion', 'CHR-010', 'Chairs', '399.00', '214.00', 42],
  ['Office chair Motion with headrest', 'CHR-011', 'Chairs', '469.00', '251.00', 26],
  ['Visitor chair Slide', 'CHR-020', 'Chairs', '129.00', '61.20', 60],
  ['Bar stool Perch', 'CHR-030', 'Chairs', '159.00', '82.00', 16],
  ['Saddle stool Trot', 'CHR-040', 'Chairs', '219.00', '117.00', 12],
  ['Drawer unit Trio', 'STO-003', 'Storage', '179.00', '92.40', 35],
  ['Cupboard Classic, two doors', 'STO-010', 'Storage', '349.00', '196.00', 14],
  ['Shelf Grid, five levels', 'STO-020', 'Storage', '199.00', '104.00', 22],
  ['Locker Row, four doors', 'STO-030', 'Storage', '529.00', '301.00', 8],
  ['Desk lamp Beam', 'LMP-001', 'Lighting', '79.90', '38.50', 55],
  ['Floor lamp Arc', 'LMP-010', 'Lighting', '189.00', '96.00', 15],
  ['Pendant lamp Disc', 'LMP-020', 'Lighting', '139.00', '71.00', 18],
  ['LED bulb E27, 8 W', 'LMP-900', 'Lighting', '6.90', '2.35', 400],
  ['Screen 24 inches, full HD', 'SCR-024', 'Screens', '169.00', '118.00', 40],
  ['Screen 27 inches, QHD', 'SCR-027', 'Screens', '289.00', '205.00', 32],
  ['Screen 34 inches, curved', 'SCR-034', 'Screens', '549.00', '402.00', 10],
  ['Monitor arm Flex', 'SCR-ARM', 'Screens', '109.00', '58.00', 28],
  ['Docking station USB-C', 'ACC-001', 'Accessories', '159.00', '99.00', 36],
  ['Keyboard, wireless', 'ACC-010', 'Accessories', '69.00', '37.80', 48],
  ['Mouse, wireless', 'ACC-011', 'Accessories', '39.00', '18.90', 64],
  ['Headset with noise reduction', 'ACC-020', 'Accessories', '119.00', '67.00', 30],
  ['Webcam, full HD', 'ACC-030', 'Accessories', '79.00', '42.00', 25],
  ['USB-C cable, 2 m', 'ACC-900', 'Accessories', '14.90', '4.10', 180],
  ['Copy paper A4, 500 sheets', 'STA-001', 'Stationery', '5.49', '3.12', 320],
  ['Notebook A5, dotted', 'STA-010', 'Stationery', '12.90', '5.60', 90],
  ['Ballpoint pen, blue, box of 50', 'STA-020', 'Stationery', '24.90', '11.80', 45],
  ['Whiteboard 120 × 90', 'STA-030', 'Stationery', '99.00', '52.00', 12],
  ['Whiteboard markers, set of 4', 'STA-031', 'Stationery', '8.90', '3.45', 75],
  ['Office handbook, third edition', 'STA-100', 'Stationery', '29.90', '16.00', 40],
  ['Assembly of furniture', 'SRV-001', 'Services', '58.00', '0'],
  ['Delivery and carrying in', 'SRV-002', 'Services', '79.00', '0'],
  ['Office planning', 'SRV-010', 'Services', '110.00', '0'],
  ['Lighting design', 'SRV-011', 'Services', '125.00', '0'],
  ['Workplace ergonomics, training day', 'SRV-020', 'Services', '980.00', '0'],
  ['Maintenance of sit-stand desks', 'SRV-030', 'Services', '64.00', '0'],
];

const UNITS: Record<string, string> = { 'SRV-001': 'Hour', 'SRV-010': 'Hour', 'SRV-011': 'Hour', 'SRV-020': 'Day' };
/** Books have the reduced tax rate. */
const REDUCED = new Set(['STA-100']);

export const WARES: readonly DemoProduct[] = GOODS.map(([name, sku, category, sale_price, purchase_price, stock]) => ({
  name,
  sku,
  category,
  sale_price,
  purchase_price,
  unit: UNITS[sku] ?? 'Piece',
  ...(stock !== undefined && { stock }),
  ...(REDUCED.has(sku) && { reduced_tax: true as const }),
}));

export const isService = ({ stock }: DemoProduct): boolean => stock === undefined;
