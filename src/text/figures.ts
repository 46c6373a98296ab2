/** 12.43 → "12.4%". Two hundredths of a percent are less than one prompt in 500. */
export function percentText(percent: number): string {
  return `${percent.toFixed(1)}%`
}

/** A difference of two rates, in percentage points: "+2.4", "−0.8", "0.0". */
export function signed(points: number, digits = 1): string {
  const text = Math.abs(points).toFixed(digits)
  if (Number(text) === 0) return text
  return points > 0 ? `+${text}` : `−${text}`
}
