# Writes the output file and the source of each page.
Jekyll::Hooks.register [:pages, :documents], :post_write do |page|
  destination = page.destination(page.site.dest).delete_prefix("#{page.site.dest}/")
  File.write(ENV.fetch("truth"), "#{destination}\t#{page.relative_path.delete_prefix('/')}\n", mode: "a") if destination.end_with?(".html")
end
