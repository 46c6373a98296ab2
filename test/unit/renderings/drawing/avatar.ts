/** A blue pencil; what a workspace would give the bot as its picture. */
export function avatar(size: number, radius: number): string {
  return `<svg width="${size}" height="${size}" viewBox="0 0 40 40" style="border-radius:${radius}px;flex:none">
<rect width="40" height="40" fill="#e9eefb"/>
<g transform="rotate(45 20 20)">
<rect x="16" y="4" width="8" height="4" rx="1.5" fill="#e7a6a0"/>
<rect x="16" y="8" width="8" height="2.5" fill="#9aa5b8"/>
<rect x="16" y="10.5" width="8" height="17" fill="#1f4b9e"/>
<rect x="18.7" y="10.5" width="2.6" height="17" fill="#3566c4"/>
<path d="M16 27.5h8L20 36z" fill="#f0d9b5"/>
<path d="M18.4 32.6h3.2L20 36z" fill="#1f4b9e"/>
</g></svg>`
}
