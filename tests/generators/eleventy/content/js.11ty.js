export const data = { layout: "page.njk" };
export function render() { return "x"; }
